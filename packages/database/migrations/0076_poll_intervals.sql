-- Owner: packages/ingest.

-- When the last notification for a connection arrived, to the hour. Null: none since it was linked.
ALTER TABLE pull_plans ADD COLUMN noticed_at timestamptz;

-- When each pull was last planned by a poll, and when it last read all the days that it reads again. Null: by none yet.
ALTER TABLE pull_cursors ADD COLUMN polled_at timestamptz, ADD COLUMN reread_at timestamptz;
