ALTER TABLE batches ADD COLUMN by_user TEXT REFERENCES users ON DELETE SET NULL;
UPDATE batches SET by_user = (
    SELECT users.id FROM audit JOIN users ON users.id = who WHERE what = 'batch uploaded' AND audit.id = batches.id
);
CREATE INDEX batches_by_user ON batches (by_user);
CREATE INDEX audit_by_who ON audit (who, at);
