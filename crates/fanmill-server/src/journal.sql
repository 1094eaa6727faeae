CREATE TABLE journal (
    number INTEGER PRIMARY KEY AUTOINCREMENT, task TEXT NOT NULL, batch TEXT NOT NULL, person TEXT, attempts INTEGER NOT NULL DEFAULT 0,
    again INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX journal_by_batch ON journal (batch);
CREATE TABLE compared_with (
    batch TEXT NOT NULL REFERENCES batches ON DELETE CASCADE, earlier TEXT NOT NULL, PRIMARY KEY (batch, earlier)
) STRICT;
CREATE INDEX compared_with_by_earlier ON compared_with (earlier);
