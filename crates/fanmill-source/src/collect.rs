//! The collector: puts each input into its submission, or says why not.
//!
//! Everything that is seen ends as a document or as a notice, whatever goes wrong around it. A submission from which
//! nothing could be read stays, without documents, so that a report shows it as not compared. So that one hostile
//! submission cannot use up the run for those after it, a submission gets at most half of what is left of the run's
//! bytes and entries when it is first seen; honest ones are far below that.

use fanmill_text::message::Message;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::iter;
use std::ops::ControlFlow;

use crate::archive::{Ending, Entry, Kind, Source, each_entry, trouble};
use crate::documents::{DocumentTotals, OutcomeReason, office_text, remarks, unread};
use crate::draft::{Draft, Finished};
use crate::extraction::Hidden;
use crate::files::OpenFile;
use crate::group::{Manifests, Marks, Options};
use crate::grouping::Grouping;
use crate::label::{Trail, extension, litter};
use crate::limits::{Budget, size};
use crate::manifest::{self, Manifest, Row};
use crate::messages;
use crate::sniff::{Content, Format, HEAD, is_prose, stray_nuls};
#[cfg(feature = "pdf")]
use fanmill_extract::cage;
use fanmill_extract::extracted::{Extracted, Metadata};
use fanmill_extract::office::{self, is_old_word};
use fanmill_text::Setting;
use fanmill_text::counted::counted;
use fanmill_text::document::{Document, Origin, Outcome, Role};
use fanmill_text::message;
use fanmill_text::progress::Progress;

/// Number of inputs past the limit on entries that get a notice of their own.
const NAMED_LEFTOVERS: u64 = 1000;

/// An input that belongs to no submission, and the reason why it is not taken whole.
pub(super) type LooseNotice = (String, Outcome, Message);

/// Bytes of one input.
pub(super) enum Input<'i> {
    File(OpenFile),
    Stream(&'i mut dyn Read),
}

impl Read for Input<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Input::File(file) => file.read(buf),
            Input::Stream(stream) => stream.read(buf),
        }
    }
}

impl Input<'_> {
    /// Returns its length if that is known and is not a claim of the input itself.
    fn known_length(&self) -> Option<u64> {
        match self {
            Input::File(file) => file.length(),
            Input::Stream(_) => None,
        }
    }
}

/// Collects everything below one given path.
pub(super) struct Collector<'a> {
    pub(super) options: &'a Options,
    pub(super) budget: &'a Budget,
    progress: &'a dyn Progress,
    pub(super) grouping: Grouping,
    /// Origin of the submissions below the given path. If their origins differ, it is `File`, and `is` sets that of
    /// each child.
    origin: Origin,
    /// One submission gets at most one part in `share` of what is left: 2 means half.
    share: u64,
    drafts: BTreeMap<String, Draft>,
    /// Notices that belong to no submission.
    loose: Vec<LooseNotice>,
    /// Number of inputs past the limit on entries; only the first [`NAMED_LEFTOVERS`] get a notice of their own.
    leftovers: u64,
    /// Litter and excluded files and folders that already have their notice.
    set_aside: BTreeSet<String>,
    /// Manifests found beside the submissions, with their names.
    pub(super) manifests: Vec<(String, Manifest)>,
    /// True if the run was asked to stop, so that not everything was collected.
    is_cancelled: bool,
    /// Remarks on all documents together.
    of_documents: DocumentTotals,
}

impl<'a> Collector<'a> {
    pub(super) fn new(
        grouping: Grouping,
        origin: Origin,
        share: u64,
        options: &'a Options,
        budget: &'a Budget,
        progress: &'a dyn Progress,
    ) -> Collector<'a> {
        Collector {
            options,
            budget,
            progress,
            grouping,
            origin,
            share,
            drafts: BTreeMap::new(),
            loose: Vec::new(),
            leftovers: 0,
            set_aside: BTreeSet::new(),
            manifests: Vec::new(),
            is_cancelled: false,
            of_documents: DocumentTotals::default(),
        }
    }

    /// Returns the submission that a trail leads into, and the path inside it.
    fn place(&self, trail: &Trail) -> (String, String) {
        let behind = |prefix: &Option<String>, name: &str| match prefix {
            Some(prefix) => format!("{prefix}/{name}"),
            None => name.to_owned(),
        };
        match &self.grouping {
            Grouping::Head(prefix) => (behind(prefix, &trail.head), trail.inner().to_owned()),
            Grouping::Each(prefix) => (behind(prefix, &trail.full()), trail.full()),
            Grouping::Whole(name) => (name.clone(), trail.full()),
        }
    }

    fn draft(&mut self, trail: &Trail) -> &mut Draft {
        let (name, _) = self.place(trail);
        let (origin, budget, share) = (self.origin, self.budget, self.share);
        self.drafts.entry(name).or_insert_with(|| Draft::new(origin, budget, share))
    }

    /// Records the origin of the child that the trail leads to, if that child of a given folder is a submission.
    pub(super) fn is(&mut self, trail: &Trail, origin: Origin) {
        let is_child = trail.tail.is_empty() && matches!(self.grouping, Grouping::Head(_));
        if is_child && self.origin == Origin::File {
            self.draft(trail).origin = origin;
        }
    }

    /// Makes sure that the submission at the trail is in the corpus, with documents or without.
    pub(super) fn expect(&mut self, trail: &Trail) {
        if !matches!(self.grouping, Grouping::Each(_)) {
            self.draft(trail);
        }
    }

    /// Records a manifest's facts about the submission at the trail; the first value given for each counts.
    pub(super) fn describe(&mut self, trail: &Trail, row: &Row) {
        row.about.complete(&mut self.draft(trail).about);
    }

    /// Adds a notice on an input that is not taken whole.
    pub(super) fn note(&mut self, trail: &Trail, outcome: Outcome, reason: impl Into<Message>) {
        let (_, path) = self.place(trail);
        self.draft(trail).notices.push((path, outcome, reason.into()));
    }

    /// Adds a notice on an input that belongs to no submission.
    pub(super) fn note_loose(&mut self, path: &str, outcome: Outcome, reason: impl Into<Message>) {
        self.loose.push((path.to_owned(), outcome, reason.into()));
    }

    /// Returns whether the trail leads to or into litter, or something excluded. Each such piece gets one notice.
    pub(super) fn is_left_out(&mut self, trail: &Trail) -> bool {
        let full = trail.full();
        if let Some(piece) = litter(&full) {
            self.set_aside(trail, piece, "version-control, editor or system data: not read");
            return true;
        }
        let excluded = self.grouping.excluded(self.options, trail, &full);
        if let Some(piece) = excluded {
            self.set_aside(trail, piece, message!["left out by ", Setting("exclude")]);
        }
        excluded.is_some()
    }

    /// Returns whether nothing else will be taken, whatever it is.
    pub(super) fn takes_no_more(&self) -> bool {
        self.is_cancelled || self.budget.entries_left() == 0
    }

    /// Adds a notice, once, on the `piece` that the whole trail starts with. The notice belongs to the submission,
    /// unless the piece is all of it.
    pub(super) fn set_aside(&mut self, trail: &Trail, piece: &str, reason: impl Into<Message>) {
        if !self.set_aside.insert(piece.to_owned()) {
            return;
        }
        let shown = match &self.grouping {
            Grouping::Head(_) => trail.in_submission(piece),
            Grouping::Whole(_) => Some(piece),
            Grouping::Each(_) => None,
        };
        match shown.map(str::to_owned) {
            Some(path) => {
                self.draft(trail).notices.push((path, Outcome::Skipped, reason.into()));
            }
            None => self.note_loose(piece, Outcome::Skipped, reason),
        }
    }

    /// Counts an input, or returns the limit that it exceeds; nothing is admitted once the run is to stop.
    pub(super) fn admit(&mut self, trail: &Trail) -> Result<(), Message> {
        self.is_cancelled |= self.progress.is_cancelled();
        if self.is_cancelled {
            return Err("the run is cancelled".into());
        }
        self.progress.advance();
        let limit = counted(self.budget.limits().entries, "entry", "entries");
        let max_entries = Setting("max-entries");
        if self.budget.entries_left() == 0 {
            return Err(message!["over the limit of {limit} a run; raise ", max_entries]);
        }
        let draft = self.draft(trail);
        if draft.entries_left == 0 {
            return Err(message![
                "the submission is over half of what was left of the limit of {limit} a run; \
                 raise ",
                max_entries
            ]);
        }
        draft.entries_left -= 1;
        self.budget.count_entry();
        Ok(())
    }

    /// Counts an input next to the submissions that is over a limit; the first [`NAMED_LEFTOVERS`] get a notice each.
    pub(super) fn leave_out(&mut self, trail: &Trail, reason: Message) {
        if self.leftovers < NAMED_LEFTOVERS {
            self.note(trail, Outcome::Skipped, reason);
        }
        self.leftovers += 1;
    }

    /// Takes a file: as a document, as an archive of documents, or as a notice.
    pub(super) fn file(&mut self, trail: &Trail, input: Input<'_>, depth: u32) {
        if let Err((outcome, reason)) = self.try_file(trail, input, depth) {
            self.note(trail, outcome, reason);
        }
    }

    fn try_file(
        &mut self,
        trail: &Trail,
        mut input: Input,
        depth: u32,
    ) -> Result<(), OutcomeReason> {
        let names = self.grouping.names(trail, &trail.full());
        let names = names.each_ref().map(|name| &**name);
        let skipped = |reason: Message| Err((Outcome::Skipped, reason));
        // Reserved at once: a growing vector would ask for the room in pieces of 32 bytes and more.
        let room = input.known_length().unwrap_or(u64::MAX).min(HEAD as u64);
        let mut head = Vec::with_capacity(room as usize);
        let read = input.by_ref().take(HEAD as u64).read_to_end(&mut head);
        read.map_err(|error| self.lost(&error))?;
        match self.options.content(&trail.full(), &head) {
            Content::Archive(format) => self.nested(trail, format, head, input, depth),
            content => match (self.options.does_not_include(&names), content) {
                (Some(reason), _) => skipped(reason),
                (None, Content::Empty) => skipped("empty".into()),
                (None, Content::Binary(what)) => skipped(message!["binary: {what}"]),
                (None, Content::Document) => self.office(trail, head, input, depth),
                (None, Content::Pdf) => self.pdf(trail, head, input),
                (None, Content::PostScript) => self.post_script(trail, head, input),
                (None, Content::Message) => self.message(trail, head, input),
                (None, _) => self.document(trail, head, input),
            },
        }
    }

    /// Returns why reading stopped: one of our limits, or a fault of the input.
    fn lost(&self, error: &io::Error) -> OutcomeReason {
        match self.budget.over() {
            Some(reason) => (Outcome::Skipped, reason),
            None => (Outcome::Failed, trouble(error).into()),
        }
    }

    fn document(
        &mut self,
        trail: &Trail,
        head: Vec<u8>,
        input: Input,
    ) -> Result<(), OutcomeReason> {
        let most = self.budget.limits().file_bytes;
        let bytes = self.all_bytes(trail, head, input, most)?;
        let nuls = stray_nuls(&bytes);
        if nuls > 0 {
            let what = counted(nuls as u64, "NUL byte", "NUL bytes");
            self.note(trail, Outcome::Degraded, format!("{what} within text: read as text"));
        }
        let (_, path) = self.place(trail);
        self.keep(trail, &path, bytes);
        Ok(())
    }

    /// Keeps a document that is within the limits; returns the path that it gets.
    fn keep(&mut self, trail: &Trail, path: &str, bytes: Vec<u8>) -> String {
        self.budget.hold(bytes.len() as u64);
        let draft = self.draft(trail);
        draft.bytes_left -= bytes.len() as u64;
        let path = draft.names.unique(path);
        draft.documents.push(Document::new(path.clone(), bytes));
        path
    }

    /// Takes the text of an office document, or the entries of a zip that is only named like one.
    fn office(
        &mut self,
        trail: &Trail,
        head: Vec<u8>,
        input: Input,
        depth: u32,
    ) -> Result<(), OutcomeReason> {
        let limits = self.budget.limits();
        let most = limits.file_bytes;
        let of_document = office::Limits {
            part_bytes: most,
            total_bytes: limits.total_bytes,
            ratio: limits.ratio,
            ..office::Limits::standard()
        };
        let bytes = self.all_bytes(trail, head, input, most)?;
        if let Some(document) =
            is_old_word(&bytes).then(|| self.options.extractor.doc(&bytes, most)).flatten()
        {
            return self.extracted(trail, document.map_err(unread)?);
        }
        let Some(document) = office_text(&bytes, &of_document)? else {
            let mut zip = Cursor::new(bytes);
            return self.nested(trail, Format::Zip, Vec::new(), Input::Stream(&mut zip), depth);
        };
        drop(bytes);
        self.extracted(trail, document)
    }

    /// Takes the text of a PDF.
    #[cfg(feature = "pdf")]
    fn pdf(&mut self, trail: &Trail, head: Vec<u8>, input: Input) -> Result<(), OutcomeReason> {
        let most = self.budget.limits().file_bytes;
        let bytes = self.all_bytes(trail, head, input, most)?;
        let answer = self.options.extractor.pdf(&bytes, most);
        if let Some(missing) = answer.locks.and_then(cage::Locks::missing) {
            self.of_documents.missing = Some(missing);
        }
        drop(bytes);
        match answer.document {
            Ok(document) => self.extracted(trail, document),
            Err(left) => Err(unread(left)),
        }
    }

    #[cfg(not(feature = "pdf"))]
    #[expect(clippy::unused_self, reason = "as the one that reads")]
    fn pdf(&mut self, _: &Trail, _: Vec<u8>, _: Input) -> Result<(), OutcomeReason> {
        Err((Outcome::Skipped, "a PDF document, which this build does not read".into()))
    }

    /// Takes the text of a PostScript program.
    fn post_script(
        &mut self,
        trail: &Trail,
        head: Vec<u8>,
        input: Input,
    ) -> Result<(), OutcomeReason> {
        let most = self.budget.limits().file_bytes;
        let bytes = self.all_bytes(trail, head, input, most)?;
        let document = self.options.extractor.post_script(&bytes, most);
        self.extracted(trail, document.map_err(unread)?)
    }

    /// Takes the text that a message shows, and the texts that some mail programs show in its place.
    fn message(&mut self, trail: &Trail, head: Vec<u8>, input: Input) -> Result<(), OutcomeReason> {
        let most = self.budget.limits().file_bytes;
        let bytes = self.all_bytes(trail, head, input, most)?;
        let message = messages::read(&bytes, most, &self.options.extractor)?;
        drop(bytes);
        for (outcome, reason) in messages::remarks(&message) {
            self.note(trail, outcome, reason);
        }
        let is_marked = self.options.marks == Marks::Shown;
        let others = messages::has_other_readings(&message).then_some(message.others);
        let others = others.into_iter().flatten();
        let mut shown = message.text;
        // From the end, so that the places before stay.
        for attached in message.attached.iter().rev().filter(|_| is_marked) {
            shown.insert_str(attached.at, &format!("[attachment {}]\n", attached.name));
        }
        for (i, mut text) in iter::once(shown).chain(others).enumerate() {
            let name = if i == 0 { "text".to_owned() } else { format!("text-{}", i + 1) };
            if is_marked {
                text.insert_str(0, "[message]\n");
            }
            self.check_text(trail, text.len() as u64)?;
            let (_, path) = self.place(trail);
            self.keep(trail, &format!("{path}!/{name}.txt"), text.into_bytes());
        }
        Ok(())
    }

    /// Checks that text extracted from a document is within the limits.
    fn check_text(&mut self, trail: &Trail, length: u64) -> Result<(), OutcomeReason> {
        let most = self.budget.limits().file_bytes;
        let cap = self.cap(trail, most);
        if length > cap {
            return Err(self.over(&format!("{} of text are", size(length)), cap, most));
        }
        Ok(())
    }

    /// Takes the text extracted from a document.
    fn extracted(&mut self, trail: &Trail, mut document: Extracted) -> Result<(), OutcomeReason> {
        let hidden = self.options.extractor.hidden;
        if hidden == Hidden::Read {
            document = document.with_hidden();
        }
        self.check_text(trail, document.text.len() as u64)?;
        self.of_documents.count(&document);
        for (outcome, reason) in remarks(&document, hidden) {
            self.note(trail, outcome, reason);
        }
        let (_, mut path) = self.place(trail);
        let format = document.format.extension();
        if !is_prose(&path) && extension(&path).as_deref() != Some(format) {
            // The name decides how a document is compared.
            path = format!("{path}!/text.{format}");
        }
        let text = match self.options.marks {
            Marks::Nowhere => document.text,
            Marks::Shown => document.marked(),
        };
        let path = self.keep(trail, &path, text.into_bytes());
        let metadata = document.metadata;
        if self.options.metadata && metadata != Metadata::default() {
            self.draft(trail).metadata.insert(path, metadata);
        }
        Ok(())
    }

    /// Returns the number of bytes that a document may have.
    fn cap(&mut self, trail: &Trail, most: u64) -> u64 {
        most.min(self.draft(trail).bytes_left).min(self.budget.room())
    }

    /// Returns the notice on a document of more than `cap` bytes, which is left out; `what` says how many there are.
    fn over(&self, what: &str, cap: u64, most: u64) -> OutcomeReason {
        let (cap_text, total) = (size(cap), size(self.budget.limits().total_bytes));
        let max_total = Setting("max-total-bytes");
        let over = if cap == most {
            message!["the limit of {cap_text} a file; raise ", Setting("max-file-bytes")]
        } else if cap == self.budget.room() {
            message!["the {cap_text} left of the limit of {total} a run; raise ", max_total]
        } else {
            message![
                "the {cap_text} left to its submission, half of what was left of the limit of \
                 {total} a run; raise ",
                max_total
            ]
        };
        (Outcome::Skipped, message!["{what} over ", over])
    }

    /// Reads an input to its end if that comes within `most` bytes and what the submission and the run have left.
    fn all_bytes(
        &mut self,
        trail: &Trail,
        head: Vec<u8>,
        mut input: Input,
        most: u64,
    ) -> Result<Vec<u8>, OutcomeReason> {
        let cap = self.cap(trail, most);
        let known = input.known_length();
        let mut bytes = head;
        if known.is_none_or(|length| length <= cap) {
            let more = cap.saturating_add(1).saturating_sub(bytes.len() as u64);
            let left = known.unwrap_or(0).saturating_sub(bytes.len() as u64);
            bytes.reserve_exact(left as usize);
            let read = input.by_ref().take(more).read_to_end(&mut bytes);
            read.map_err(|error| self.lost(&error))?;
        }
        let length = known.unwrap_or(0).max(bytes.len() as u64);
        if length <= cap {
            bytes.shrink_to_fit();
            return Ok(bytes);
        }
        let what = known.map_or_else(|| format!("more than {}", size(cap)), size);
        let joint = if known.is_some() { "is" } else { "are" };
        Err(self.over(&format!("{what} {joint}"), cap, most))
    }

    fn nested(
        &mut self,
        trail: &Trail,
        format: Format,
        head: Vec<u8>,
        input: Input,
        depth: u32,
    ) -> Result<(), OutcomeReason> {
        let levels = self.budget.limits().levels();
        if depth >= levels {
            let raise = Setting("max-depth");
            let reason = message!["archive below the limit of {levels} levels; raise ", raise];
            return Err((Outcome::Skipped, reason));
        }
        self.is(trail, Origin::Archive);
        let inside = Some((trail, depth + 1));
        let mut file = match input {
            Input::File(file) => BufReader::new(file),
            Input::Stream(_) => {
                // A zip is read from its end, so it must be held in memory while it is read.
                let bytes = self.all_bytes(trail, head, input, u64::MAX)?;
                let held = bytes.len() as u64;
                self.budget.hold(held);
                self.draft(trail).bytes_left -= held;
                self.archive(inside, None, trail.name(), format, &mut Cursor::new(bytes));
                self.budget.release(held);
                self.draft(trail).bytes_left += held;
                return Ok(());
            }
        };
        file.rewind().map_err(|error| self.lost(&error))?;
        self.archive(inside, None, trail.name(), format, &mut file);
        Ok(())
    }

    /// Takes every entry of an archive called `name`. The archive lies at a trail, or is the given path itself, whose
    /// `wrapper` folder is taken off.
    pub(super) fn archive(
        &mut self,
        inside: Option<(&Trail, u32)>,
        wrapper: Option<&str>,
        name: &str,
        format: Format,
        source: &mut dyn Source,
    ) {
        let mut shown = 0_u64;
        let mut full = None;
        let budget = self.budget;
        let mut ending = each_entry(format, name, source, budget, &mut |entry| {
            shown += 1;
            match self.entry(inside, wrapper, entry) {
                ControlFlow::Continue(()) => ControlFlow::Continue(()),
                ControlFlow::Break(reason) => {
                    // The entry that breaks off was counted but not taken.
                    shown -= 1;
                    full = Some(reason);
                    ControlFlow::Break(())
                }
            }
        });
        let remark = ending.remark.take().map(|remark| (Outcome::Degraded, remark));
        for (outcome, reason) in remark.into_iter().chain(conclusion(ending, full, shown)) {
            match inside {
                Some((trail, _)) => self.note(trail, outcome, reason),
                None => match &self.grouping {
                    Grouping::Whole(_) => self.note(&Trail::whole(name), outcome, reason),
                    _ => self.note_loose(name, outcome, reason),
                },
            }
        }
    }

    /// Takes one entry; breaks, with the reason, when the rest of the archive need not be read.
    fn entry(
        &mut self,
        inside: Option<(&Trail, u32)>,
        wrapper: Option<&str>,
        entry: Entry<'_>,
    ) -> ControlFlow<Message> {
        let label = match wrapper {
            Some(folder) if entry.label == folder => return ControlFlow::Continue(()),
            Some(folder) => below(folder, &entry.label),
            None => &entry.label,
        };
        let trail = inside.map_or_else(|| Trail::top(label), |(trail, _)| trail.enter(label));
        if self.is_left_out(&trail) {
            return ControlFlow::Continue(());
        }
        if let Err(reason) = self.admit(&trail) {
            // At the top of a given archive, later entries may belong to other submissions, which may have room left.
            let others = inside.is_none() && matches!(self.grouping, Grouping::Head(_));
            if others && self.budget.entries_left() > 0 && !self.is_cancelled {
                self.leave_out(&trail, reason);
                return ControlFlow::Continue(());
            }
            self.note(&trail, Outcome::Skipped, reason.clone());
            return ControlFlow::Break(reason);
        }
        match entry.kind {
            Kind::Folder => self.expect(&trail),
            Kind::Left(outcome, reason) => self.note(&trail, outcome, reason),
            Kind::File(content) => {
                let depth = inside.map_or(1, |(_, depth)| depth);
                self.file_or_manifest(&trail, Input::Stream(content), depth);
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes a file, or keeps it as the manifest of what lies beside it.
    pub(super) fn file_or_manifest(&mut self, trail: &Trail, mut input: Input, depth: u32) {
        let beside = trail.tail.is_empty()
            && !matches!(self.grouping, Grouping::Whole(_))
            && self.options.manifests == Manifests::Read;
        if !beside || !manifest::FILE_NAMES.contains(&trail.head.to_ascii_lowercase().as_str()) {
            return self.file(trail, input, depth);
        }
        let mut bytes = Vec::new();
        let most = self.budget.limits().file_bytes.min(self.budget.room());
        let read = input.by_ref().take(most).read_to_end(&mut bytes);
        if read.is_ok()
            && let Some(manifest) = manifest::parse(&bytes)
        {
            let (name, _) = self.place(trail);
            if self.drafts.get(&name).is_some_and(|draft| draft.documents.is_empty()) {
                self.drafts.remove(&name);
            }
            return self.manifests.push((trail.head.clone(), manifest));
        }
        self.file(trail, Input::Stream(&mut Cursor::new(bytes).chain(input)), depth);
    }

    /// Returns all submissions, each with its documents in order, and the notices that belong to none.
    pub(super) fn finish(mut self, role: Role, name: &str) -> (Vec<Finished>, Vec<LooseNotice>) {
        if let Some(more) = self.leftovers.checked_sub(NAMED_LEFTOVERS).filter(|&more| more > 0) {
            let limit = counted(self.budget.limits().entries, "entry", "entries");
            let more =
                counted(more, "more file or folder in it is", "more files and folders in it are");
            let raise = Setting("max-entries");
            let reason =
                message!["{more} left out: over the limit of {limit} a run; raise ", raise];
            self.note_loose(name, Outcome::Skipped, reason);
        }
        // These are remarks on documents that are already counted, not on inputs of their own.
        for reason in std::mem::take(&mut self.of_documents).reasons() {
            self.note_loose(name, Outcome::Flagged, reason);
        }
        if matches!(self.grouping, Grouping::Each(_)) {
            // Folders and archives are drafts too, but hand in nothing of their own.
            self.drafts.retain(|_, draft| !draft.is_empty());
        }
        let finished = self.drafts.into_iter().map(|(name, draft)| draft.finish(name, role));
        (finished.collect(), self.loose)
    }
}

/// Returns the part of `label` below `folder`, or all of it if it lies elsewhere.
fn below<'l>(folder: &str, label: &'l str) -> &'l str {
    let rest = label.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
    rest.unwrap_or(label)
}

/// Returns the notice on an archive from which `shown` entries were taken, if it needs one.
fn conclusion(ending: Ending, full: Option<Message>, shown: u64) -> Option<OutcomeReason> {
    let left = match ending.left {
        Some(left) => format!("; {} left out", counted(left, "entry", "entries")),
        None => "; what follows is left out".to_owned(),
    };
    let read = format!("{} read", counted(shown, "entry", "entries"));
    match (ending.stopped, full, ending.damage) {
        (Some(reason), _, _) | (None, Some(reason), _) => {
            Some((Outcome::Skipped, message!["stopped: ", reason, "; {read}{left}"]))
        }
        (None, None, Some(damage)) => {
            let left = ending.left.map(|_| left).unwrap_or_default();
            Some((Outcome::Failed, message!["{damage}; {read}{left}"]))
        }
        (None, None, None) => (shown == 0).then(|| (Outcome::Skipped, "empty archive".into())),
    }
}
