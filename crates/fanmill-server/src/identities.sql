CREATE TABLE identities (
    issuer TEXT NOT NULL, subject TEXT NOT NULL, user TEXT NOT NULL REFERENCES users ON DELETE CASCADE, mail TEXT,
    PRIMARY KEY (issuer, subject)
) STRICT;
CREATE INDEX identities_by_user ON identities (user);
CREATE VIEW able (user) AS SELECT id FROM users WHERE password IS NOT NULL UNION SELECT user FROM identities;
