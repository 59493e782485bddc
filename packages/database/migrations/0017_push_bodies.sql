-- Owner: packages/ingest.

-- Bodies of pushes in pieces, compressed as one stream and then sealed, piece by piece: some hold tokens, and the large ones are stored
-- while they arrive. Pieces without a row in the inbox are of a push that broke off. What came before this stays in `push_inbox.body`.
CREATE TABLE push_bodies (
  push_id uuid NOT NULL,
  day date NOT NULL,
  piece integer NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (push_id, day, piece)
) PARTITION BY RANGE (day);
-- No compression helps what is sealed.
ALTER TABLE push_bodies ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE TABLE push_bodies_default PARTITION OF push_bodies DEFAULT;

ALTER TABLE push_inbox ALTER COLUMN body DROP NOT NULL;
-- How many pieces there are; 0: the body is in the row.
ALTER TABLE push_inbox ADD COLUMN pieces integer NOT NULL DEFAULT 0;
-- Before it was compressed.
ALTER TABLE push_inbox ADD COLUMN body_bytes bigint;
-- A large push is worked on in parts: how many of its items are done.
ALTER TABLE push_inbox ADD COLUMN items_done bigint NOT NULL DEFAULT 0;

-- Ids of objects that open something, such as an address with a token: `object_id` has a hash then.
ALTER TABLE pull_windows ADD COLUMN object_sealed bytea;
-- Addresses that lie open are forgotten; those not read yet were good for a day, and their data can be asked for again as history.
UPDATE pull_windows SET state = 'given_up', error_code = 'object_forgotten', finished_at = now()
WHERE object_id LIKE 'https://%' AND state IN ('planned', 'running', 'failed');
UPDATE pull_windows SET object_id = encode(sha256(convert_to(object_id, 'UTF8')), 'hex') WHERE object_id LIKE 'https://%';
