CREATE TABLE browsers (
    hash TEXT NOT NULL, user TEXT NOT NULL REFERENCES users ON DELETE CASCADE, used INTEGER NOT NULL, PRIMARY KEY (hash, user)
) STRICT;
CREATE INDEX browsers_by_user ON browsers (user, used);
