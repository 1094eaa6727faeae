//! Mail messages: the text that a person sees, and a report's remarks on the rest.

use fanmill_mail::{Limits, Message, Remark, message};
use fanmill_text::document::Outcome;
use fanmill_text::foreign::caught;

use crate::archive::READER_GAVE_UP;
use crate::documents::OutcomeReason;

/// Reads a message; returns at most `most` bytes of text.
///
/// # Errors
/// If it has no text.
pub fn read(bytes: &[u8], most: u64) -> Result<Message, OutcomeReason> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let standard = Limits::standard();
    let limits = Limits {
        message_bytes: most.max(standard.message_bytes),
        text_bytes: most.min(standard.text_bytes),
        ..standard
    };
    // The reader leaves nothing behind but what it returns, so a panic cannot leave anything half changed.
    let Some(message) = caught(|| message::read(bytes, &limits)) else {
        return Err((Outcome::Failed, READER_GAVE_UP.into()));
    };
    if message.text.trim().is_empty() {
        return Err((Outcome::Skipped, "no text: a message without words".into()));
    }
    Ok(message)
}

/// Returns the notices on a message that was taken.
pub(super) fn remarks(message: &Message) -> impl Iterator<Item = OutcomeReason> {
    message.remarks.iter().map(|remark| (outcome(remark), remark.to_string().into()))
}

/// Returns whether a message has readings that differ in what their authors wrote, not only in what programs show.
pub(super) fn has_other_readings(message: &Message) -> bool {
    message.remarks.iter().any(|remark| {
        matches!(
            remark,
            Remark::AlternativesDiffer | Remark::UnusualAlternative(_) | Remark::PlainHtml(_)
        )
    })
}

/// Returns whether part of a message was lost.
pub fn is_cut(message: &Message) -> bool {
    message.remarks.iter().any(Remark::is_loss)
}

fn outcome(remark: &Remark) -> Outcome {
    if remark.is_loss() { Outcome::Degraded } else { Outcome::Flagged }
}
