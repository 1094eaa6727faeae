//! Near-duplicate detection for texts in memory.

use fanmill_text::message::Message;
use std::borrow::Cow;
use std::path::Path;

use fanmill_sketch::lsh::bands::Bands;
use fanmill_sketch::lsh::join::Edge;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::scheme::Scheme;
use fanmill_text::{Error, Result, Setting};
use rayon::prelude::*;

use super::addresses::{Address, AddressCounts, FirstBy};
use super::context::Context;
use super::copies::Copies;
use super::keep::Keep;
use super::kept::SetWithBitmap;
use super::log::{self, Digest};
use super::order::{Order, Texts};
use super::plan::Plan;
use super::promise;
use super::same_address::{Grouping, SameAddress};
use super::search::{self, FoundPairs};
use super::secret::{Secret, Secrets};
use super::sets::Sets;
use super::settings::Settings;
use crate::job::Steps;
use crate::recipe::{Recipe, Scratch};
use crate::reference_split::{ReferenceSplit, Scope};
use crate::spill::Bits;
use fanmill_records::Record;

/// Texts that are processed together; a run can be cancelled between two parts.
const PART: usize = 1 << 10;
/// Maximum number of texts. They are numbered in 32 bits, and the last number is reserved.
const MOST_TEXTS: usize = u32::MAX as usize - 1;

/// Decisions about all texts, and findings on the way.
#[derive(Debug)]
#[non_exhaustive]
pub struct Decisions {
    /// One decision for each text, in their order.
    pub texts: Vec<Decision>,
    /// The pairs that count, if the settings ask for pairs; of equal texts, only the first is in pairs. With a
    /// reference, its texts have the first numbers, and the other texts the numbers after them.
    pub pairs: Vec<Edge>,
    /// The recipe for what was made of each text, in canonical form.
    pub scheme: Scheme,
    /// The guarantee for the result, in words.
    pub promise: Message,
    /// Number of pairs that were compared.
    pub n_candidates: u64,
    /// Upper bound on the pairs that were not compared because too many texts share a key; 0 for an exact search.
    pub n_unseen: u64,
}

/// The decision about a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Decision {
    /// It stays.
    Stays,
    /// It is removed, since another one stays in its place.
    Goes(Removal),
}

/// The reason for which a text is removed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Removal {
    /// The text that stays in its place: its number among the given texts, or among those of the reference.
    pub kept: usize,
    /// True if that text belongs to the reference.
    pub kept_is_reference: bool,
    /// Resemblance (Jaccard) of the two, in `0..=1`; `None` if they were not compared, as the text goes by its address.
    pub resemblance: Option<f64>,
    /// Containment of the removed text in the one that stays, in `0..=1`; `None` likewise.
    pub containment: Option<f64>,
    /// True if the two are known to be equal byte by byte.
    pub is_copy: bool,
    /// True if the text goes because another one with its address is preferred.
    pub by_address: bool,
}

impl Decision {
    /// Returns the reason for its removal; `None` if it stays.
    pub fn removal(&self) -> Option<&Removal> {
        match self {
            Decision::Stays => None,
            Decision::Goes(removal) => Some(removal),
        }
    }
}

/// Finds the near-duplicates among texts, with the result that [`run`](super::run) gives for them.
///
/// The settings' mode and strictness have no effect here. Memory holds the texts, 32 bytes for each, the sets of those
/// that may be near-duplicates (8 bytes a word), and the candidates. With a folder to `spill` to, everything except
/// texts and sets goes to unnamed files there when it exceeds the settings' memory; without a folder, no file is made.
/// The work runs on the thread pool that it is called in; the result is the same for any number of threads.
///
/// ```
/// use fanmill_text::progress::Silent;
/// use fanmill_corpus::dedup::{self, Decision, Settings};
///
/// let texts = ["one fish two fish red fish blue fish", "One fish, two fish, red fish, blue fish!", "no fish"];
/// let found = dedup::in_memory(texts, &Settings::standard(), None, &Silent)?;
/// assert_eq!(found.texts[1].removal().map(|removal| removal.kept), Some(0));
/// assert_eq!(found.texts[2], Decision::Stays);
/// # Ok::<(), fanmill_text::Error>(())
/// ```
///
/// # Errors
/// If settings contradict each other, or keep documents by the value of a field, since texts do not have fields; if
/// there are 2^32 - 1 texts or more; if the run is cancelled; if the folder cannot take what does not fit into memory.
pub fn in_memory<T: AsRef<str> + Sync>(
    texts: impl IntoIterator<Item = T>,
    settings: &Settings,
    spill: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Decisions> {
    let both = Both { texts, reference: [], addresses: None };
    decide(both, Scope::Everything, settings, spill, progress)
}

/// Finds the near-duplicates among texts that are also compared with a reference, with the result that
/// [`run_against`](super::run_against) gives for them.
///
/// ```
/// use fanmill_text::progress::Silent;
/// use fanmill_corpus::dedup::{self, Settings};
/// use fanmill_corpus::reference_split::Scope;
///
/// let texts = ["one fish two fish red fish blue fish", "no fish"];
/// let known = ["One fish, two fish, red fish, blue fish!"];
/// let settings = Settings::standard();
/// let found = dedup::in_memory_against(texts, (known, Scope::Everything), &settings, None, &Silent)?;
/// assert!(found.texts[0].removal().is_some_and(|removal| removal.kept_is_reference));
/// assert!(found.texts[1].removal().is_none());
/// # Ok::<(), fanmill_text::Error>(())
/// ```
///
/// # Errors
/// As for [`in_memory`]; and if clusters are to be components, whose chains would link texts of the reference.
pub fn in_memory_against<T: AsRef<str> + Sync>(
    texts: impl IntoIterator<Item = T>,
    (reference, scope): (impl IntoIterator<Item = T>, Scope),
    settings: &Settings,
    spill: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Decisions> {
    settings.check_against()?;
    let both = Both { texts, reference, addresses: None };
    decide(both, scope, settings, spill, progress)
}

/// Finds the near-duplicates among texts with addresses, one for each text, that are also compared with a reference
/// (which may be empty), with the result that [`run_against`](super::run_against) gives for them.
///
/// ```
/// use fanmill_text::progress::Silent;
/// use fanmill_corpus::dedup::{self, ByAddress, Settings};
///
/// let texts = ["one fish two fish", "red fish blue fish", "no fish"];
/// let addresses = [Some("http://example.org/fish"), Some("HTTP://EXAMPLE.org:80/fish#top"), None];
/// let settings = Settings::standard().with(|s| s.by_address = Some(ByAddress::default()));
/// let found = dedup::in_memory_by_address((texts, &addresses), [], &settings, None, &Silent)?;
/// assert!(found.texts[1].removal().is_some_and(|removal| removal.kept == 0 && removal.by_address));
/// assert!(found.texts[2].removal().is_none());
/// # Ok::<(), fanmill_text::Error>(())
/// ```
///
/// # Errors
/// As for [`in_memory_against`]; and if there are more or fewer addresses than texts, or none of them is an address.
pub fn in_memory_by_address<T: AsRef<str> + Sync>(
    (texts, addresses): (impl IntoIterator<Item = T>, &[Option<&str>]),
    reference: impl IntoIterator<Item = T>,
    settings: &Settings,
    spill: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Decisions> {
    let both = Both { texts, reference, addresses: Some(addresses) };
    decide(both, Scope::Everything, settings, spill, progress)
}

/// Texts, the reference texts that they are compared with, and the texts' addresses if these are known.
struct Both<'a, T, R> {
    texts: T,
    reference: R,
    addresses: Option<&'a [Option<&'a str>]>,
}

fn decide<T: AsRef<str> + Sync>(
    both: Both<'_, impl IntoIterator<Item = T>, impl IntoIterator<Item = T>>,
    scope: Scope,
    settings: &Settings,
    spill: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Decisions> {
    // Without a folder nothing can spill, so memory is not limited.
    let memory = spill.map_or(usize::MAX, |_| settings.memory);
    let settings = Settings { memory, ..settings.clone() };
    settings.check()?;
    check_rule(&settings.keep)?;
    let mut texts = Vec::new();
    collect(both.reference, &mut texts, progress)?;
    let n_references = texts.len() as u32;
    collect(both.texts, &mut texts, progress)?;
    if n_references > 0 {
        settings.check_against()?;
    }
    let addresses = addresses(&settings, both.addresses, texts.len() - n_references as usize)?;
    let sides = ReferenceSplit { n_references, scope };
    let (recipe, steps) = (settings.recipe()?, Steps::new(progress));
    let spill = spill.unwrap_or(Path::new(""));
    let context = Context { settings: &settings, recipe: &recipe, steps: &steps, sides, spill };
    Work { texts: &texts, addresses: &addresses, context, progress }.decide()
}

/// Returns the addresses of texts in the form in which they are compared; none if texts are not grouped by these.
fn addresses(
    settings: &Settings,
    given: Option<&[Option<&str>]>,
    n_texts: usize,
) -> Result<Vec<Address>> {
    let Some(own) = &settings.by_address else { return Ok(Vec::new()) };
    let given = given.filter(|given| given.len() == n_texts).ok_or_else(|| {
        let n = given.map_or(0, <[_]>::len);
        Error::setting(message![
            Setting("first-by"),
            (
                " {} needs an address for each text: there are {n_texts} texts and {n} addresses",
                FirstBy::Url
            )
        ])
    })?;
    let addresses: Vec<Address> = given.par_iter().map(|given| own.address(*given)).collect();
    let mut counts = AddressCounts::default();
    for address in &addresses {
        counts.add(address);
    }
    own.check(&counts)?;
    Ok(addresses)
}

/// Refuses a rule that needs a field, which texts do not have.
pub(crate) fn check_rule(keep: &Keep) -> Result<()> {
    if keep.field().is_none() {
        return Ok(());
    }
    Err(Error::setting(format!(
        "the rule `{keep}` needs a field, and texts have none; keep the first or the longest"
    )))
}

/// Collects the texts. They may come slowly and without end, so collecting can be cancelled, too.
pub(crate) fn collect<T>(
    texts: impl IntoIterator<Item = T>,
    all: &mut Vec<T>,
    progress: &dyn Progress,
) -> Result<()> {
    for text in texts {
        if all.len().is_multiple_of(PART) {
            progress.check()?;
        }
        if all.len() == MOST_TEXTS {
            return Err(Error::input(format!(
                "there are more than {MOST_TEXTS} texts, which is the limit; split them"
            )));
        }
        all.push(text);
    }
    Ok(())
}

/// The texts being compared, and the context for it.
struct Work<'a, T> {
    texts: &'a [T],
    /// The addresses of all texts but those of the reference; none if texts are not grouped by these.
    addresses: &'a [Address],
    context: Context<'a>,
    progress: &'a dyn Progress,
}

impl<T: AsRef<str> + Sync> Work<'_, T> {
    fn decide(&self) -> Result<Decisions> {
        let Context { settings, recipe, .. } = self.context;
        let ranks = self.ranks();
        let (same_address, copies, secret) = self.copies(&ranks)?;
        let (same_address, sides) = (&same_address, self.context.sides);
        let texts = Texts { ranks: &ranks, copies: &copies, same_address, sides };
        let mut order = Order::by_rule(settings, texts)?;
        // With keys, candidates are found first, and only their sets are made; an exact search needs all sets.
        let (found, sets) = if let Some(bands) = recipe.bands() {
            let found = self.by_keys(bands, &copies, &order)?;
            let sets = self.sets(found.pairs.members(self.n())?, &secret)?;
            (found, sets)
        } else {
            let sets = self.sets(self.different(&copies), &secret)?;
            let n_bytes = self.texts.iter().map(|text| text.as_ref().len() as u64).sum();
            (search::by_rarest(&self.context, &sets, n_bytes)?, sets)
        };
        if settings.measure.is_containment() {
            order = Order::by_size(texts, &sets)?;
        }
        let mut pairs = Vec::new();
        let plan = Plan::new(&self.context, texts, &order, &found, &sets, |edge| {
            pairs.extend(settings.has_pairs.then_some(*edge));
            Ok(())
        })?;
        Ok(Decisions {
            texts: self.decisions(&plan)?,
            pairs,
            scheme: recipe.scheme(),
            promise: promise::promise(settings, recipe, &found),
            n_candidates: found.pairs.len(),
            n_unseen: found.n_unseen,
        })
    }

    fn n(&self) -> usize {
        self.texts.len()
    }

    /// Finds the texts that go by their address, and the equal ones among the others; makes the secret key of the run.
    fn copies(&self, ranks: &[u64]) -> Result<(SameAddress, Copies, Secret)> {
        self.progress.begin("reading", self.n() as u64);
        let (mut secrets, mut digests) = (Secrets::default(), Vec::with_capacity(self.n()));
        let all = 0..self.n() as u32;
        self.each_part(
            all,
            |(), text, _| log::digest(text),
            |part| {
                for digest in part {
                    secrets.add(&digest);
                    if let Address::Canonical(address) = self.address(digests.len()) {
                        secrets.add(&address);
                    }
                    digests.push(digest);
                }
                Ok(())
            },
        )?;
        let secret = secrets.secret();
        let same_address = self.same_address(&digests, ranks, &secret)?;
        let mut contents = Copies::contents(&self.context);
        for ((document, text), digest) in (0_u32..).zip(self.texts).zip(&digests) {
            if document.is_multiple_of(PART as u32) {
                self.progress.check()?;
            }
            if !text.as_ref().is_empty() && !same_address.removed.contains(document) {
                contents.push(secret.of_document(digest, document))?;
            }
        }
        let copies = Copies::find(&self.context, contents, self.n() as u32, &same_address)?;
        Ok((same_address, copies, secret))
    }

    /// Returns the address of a text.
    fn address(&self, document: usize) -> Address {
        let of_own = document.checked_sub(self.context.sides.n_references as usize);
        of_own.and_then(|own| self.addresses.get(own)).copied().unwrap_or_default()
    }

    fn same_address(
        &self,
        digests: &[Digest],
        ranks: &[u64],
        secret: &Secret,
    ) -> Result<SameAddress> {
        if self.addresses.is_empty() {
            return Ok(SameAddress::none());
        }
        let mut grouping = Grouping::new(&self.context);
        for (document, digest) in digests.iter().enumerate() {
            let rank = ranks.get(document).copied().unwrap_or_default();
            let place = (rank, document as u32);
            grouping.push(secret, digest, &self.address(document), place)?;
        }
        grouping.finish(self.n() as u32)
    }

    /// Returns the ranks of texts in the order of preference; empty if that is the order in which they came.
    fn ranks(&self) -> Vec<u64> {
        let Context { settings, sides, .. } = self.context;
        let keep = &settings.keep;
        let rank = |(document, text): (u32, &T)| {
            if sides.is_reference(document) {
                return 0;
            }
            let text = Cow::Borrowed(text.as_ref());
            keep.rank(&Record { text, id: None, extra: Vec::new(), flaw: None })
        };
        if *keep == Keep::First { Vec::new() } else { (0..).zip(self.texts).map(rank).collect() }
    }

    /// Returns the texts that are not copies.
    fn different(&self, copies: &Copies) -> Bits {
        let mut different = Bits::new(self.n());
        let firsts =
            (0..self.n() as u32).filter(|&document| !copies.represented.contains(document));
        firsts.for_each(|document| different.insert(document));
        different
    }

    fn by_keys(&self, bands: Bands, copies: &Copies, order: &Order) -> Result<FoundPairs> {
        let firsts = self.different(copies);
        self.progress.begin("sketching", firsts.len() as u64);
        let mut search = search::ByKeys::new(&self.context, bands, copies, order)?;
        let recipe = self.context.recipe;
        let keys = |scratch: &mut Scratch, text: &str, document| {
            (document, recipe.keys_or_shingle(text, scratch).keys.to_vec())
        };
        self.each_part(firsts.iter(), keys, |part| {
            part.iter().try_for_each(|(document, keys)| search.push(*document, keys))
        })?;
        search.finish()
    }

    fn sets(&self, members: Bits, secret: &Secret) -> Result<Sets> {
        self.progress.begin("comparing", members.len() as u64);
        let recipe: &Recipe = self.context.recipe;
        let set = |scratch: &mut Scratch, text: &str, document| {
            let made = recipe.set_and_words(text, &secret.words, scratch);
            (document, SetWithBitmap::new(made))
        };
        let mut sets = Vec::new();
        sets.resize_with(self.n(), || None);
        self.each_part(members.iter(), set, |part| {
            for (document, set) in part {
                sets[document as usize] = Some(set);
            }
            Ok(())
        })?;
        Ok(Sets::given(&self.context, members, sets))
    }

    /// Makes something of each of the given documents, from its text and its number, and passes the results of many
    /// documents at a time to `take`, in order.
    fn each_part<S: Default, M: Send>(
        &self,
        documents: impl Iterator<Item = u32>,
        make: impl Fn(&mut S, &str, u32) -> M + Sync,
        mut take: impl FnMut(Vec<M>) -> Result<()>,
    ) -> Result<()> {
        let documents: Vec<u32> = documents.collect();
        for part in documents.chunks(PART) {
            self.progress.check()?;
            let made = part.par_iter().map_init(S::default, |scratch, &document| {
                make(scratch, self.texts[document as usize].as_ref(), document)
            });
            take(made.collect())?;
            self.progress.advance_by(part.len() as u64);
        }
        Ok(())
    }

    fn decisions(&self, plan: &Plan) -> Result<Vec<Decision>> {
        let sides = self.context.sides;
        let n_references = sides.n_references as usize;
        let mut decisions = vec![Decision::Stays; self.n() - n_references];
        plan.each_rows(|rows| {
            for row in rows.iter().filter(|row| !row.is_kept()) {
                let kept_is_reference = sides.is_reference(row.kept);
                let first = if kept_is_reference { 0 } else { n_references };
                decisions[row.document as usize - n_references] = Decision::Goes(Removal {
                    kept: row.kept as usize - first,
                    kept_is_reference,
                    resemblance: row.resemblance(),
                    containment: row.containment(),
                    is_copy: row.is_copy,
                    by_address: row.by_address,
                });
            }
            Ok(())
        })?;
        Ok(decisions)
    }
}
