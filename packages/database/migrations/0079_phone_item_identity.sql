-- Owner: packages/intake.

-- Segments of sleep may start together and end at different times, and several items may state the same one. Of items that are part of a
-- record of the phone, that record is kept, and the version at which they were last received: when a record comes again with other parts,
-- those that it had before are removed. A process of the version before fails on the new key and tries its batch again later.
ALTER TABLE phone_sleep_segments ADD COLUMN parent_id text NOT NULL DEFAULT '', ADD COLUMN version bigint NOT NULL DEFAULT 0;
UPDATE phone_sleep_segments SET parent_id = regexp_replace(item_id, '-s[0-9]+(-[0-9]+)?$', '')
WHERE provider <> 'apple_health_kit' AND item_id ~ '.-s[0-9]+(-[0-9]+)?$';
ALTER TABLE phone_sleep_segments DROP CONSTRAINT phone_sleep_segments_pkey,
  ADD PRIMARY KEY (user_id, provider, source_type, app_id, start_at, stage, end_at, item_id);
CREATE INDEX phone_sleep_segments_parent ON phone_sleep_segments (user_id, parent_id) WHERE parent_id <> '';

ALTER TABLE phone_items ADD COLUMN parent_id text;
CREATE INDEX phone_items_parent ON phone_items (user_id, parent_id) WHERE parent_id IS NOT NULL;

-- The first and last time in a list of ids, so that the lists of some days are found. Null in lists of earlier versions.
ALTER TABLE phone_sample_ids ADD COLUMN from_at timestamptz, ADD COLUMN to_at timestamptz;
CREATE INDEX phone_sample_ids_time ON phone_sample_ids (user_id, provider, to_at, from_at);
