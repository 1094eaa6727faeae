CREATE TABLE platforms (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, issuer TEXT NOT NULL, client_id TEXT NOT NULL, login_url TEXT NOT NULL,
    token_url TEXT NOT NULL, keys_url TEXT NOT NULL, deployments TEXT NOT NULL, created INTEGER NOT NULL, UNIQUE (issuer, client_id)
) STRICT;
CREATE TABLE contexts (
    platform TEXT NOT NULL REFERENCES platforms ON DELETE CASCADE, deployment TEXT NOT NULL, context TEXT NOT NULL,
    course TEXT NOT NULL REFERENCES courses ON DELETE CASCADE, memberships TEXT, PRIMARY KEY (platform, deployment, context)
) STRICT;
CREATE TABLE activities (
    batch TEXT PRIMARY KEY REFERENCES batches ON DELETE CASCADE, platform TEXT NOT NULL REFERENCES platforms ON DELETE CASCADE,
    deployment TEXT NOT NULL, context TEXT NOT NULL, activity TEXT NOT NULL, since INTEGER, due INTEGER,
    UNIQUE (platform, deployment, context, activity)
) STRICT;
CREATE TABLE assets (
    id TEXT PRIMARY KEY, batch TEXT NOT NULL REFERENCES activities ON DELETE CASCADE, asset TEXT NOT NULL, submission TEXT NOT NULL,
    person TEXT NOT NULL, name TEXT, folder TEXT, file TEXT NOT NULL, url TEXT NOT NULL, checksum TEXT, report_url TEXT NOT NULL,
    noticed INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'wanted', fault TEXT, attempts INTEGER NOT NULL DEFAULT 0,
    again INTEGER NOT NULL DEFAULT 0, reported INTEGER, UNIQUE (batch, asset)
) STRICT;
CREATE TABLE nonces (hash TEXT PRIMARY KEY, expires INTEGER NOT NULL) STRICT;
CREATE TABLE entries (hash TEXT PRIMARY KEY, user TEXT NOT NULL REFERENCES users ON DELETE CASCADE, place TEXT NOT NULL, expires INTEGER NOT NULL) STRICT;
