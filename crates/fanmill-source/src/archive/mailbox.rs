//! Mailboxes: messages one after another, cut at their `From ` lines.

use std::io::{BufReader, Cursor};
use std::ops::ControlFlow;

use fanmill_mail::Limits;
use fanmill_mail::mbox::messages;

use super::{Ending, Entry, Kind, Source, Visit, trouble};
use crate::limits::{Budget, Layer, Metered};

pub(super) fn each_entry(
    source: &mut dyn Source,
    budget: &Budget,
    layer: &Layer,
    visit: Visit,
) -> Ending {
    let most = usize::try_from(budget.limits().file_bytes).unwrap_or(usize::MAX);
    // One byte more shows that a message is over the limit.
    let limits = Limits { message_bytes: most.saturating_add(1), ..Limits::standard() };
    let reader = BufReader::with_capacity(1 << 16, Metered::new(source, budget));
    for (number, message) in (1_u64..).zip(messages(reader, &limits)) {
        let message = match message {
            Ok(message) => message,
            Err(error) => return Ending { damage: Some(trouble(&error)), ..Ending::default() },
        };
        let mut bytes = Cursor::new(message.bytes);
        // Six digits, so that names sort as numbers do, up to a million messages.
        let entry = Entry { label: format!("{number:06}.eml"), kind: Kind::File(&mut bytes) };
        if visit(entry) == ControlFlow::Break(()) || layer.must_stop() {
            break;
        }
    }
    Ending::default()
}
