-- Owner: packages/ingest.

-- When the provider took a request for history that it answers by pushes. The window is open until these have come, or until
-- `due_at`, when nobody waits for them any longer.
ALTER TABLE pull_windows ADD COLUMN accepted_at timestamptz;
CREATE INDEX pull_windows_accepted ON pull_windows (connection_id) WHERE accepted_at IS NOT NULL;

-- What a provider pushes again and again while it grows: how far each item went, and under which version that was stored. A push that
-- goes less far does not replace it. Kept as long as providers repeat their pushes.
CREATE TABLE push_extents (
  connection_id uuid NOT NULL,
  item text NOT NULL,
  extent bigint NOT NULL,
  version bigint NOT NULL,
  user_id uuid NOT NULL,
  seen_on date NOT NULL,
  PRIMARY KEY (connection_id, item)
) WITH (fillfactor = 80);
CREATE INDEX push_extents_by_user ON push_extents (user_id);
CREATE INDEX push_extents_by_day ON push_extents USING brin (seen_on);
