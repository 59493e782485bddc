-- Owner: packages/intake.

-- While versions are exchanged, processes of the one before run beside. Their statements about segments of sleep know the key of before: what
-- they insert fails, but what they delete would take the segments of other items that start together. Under a new name all of them fail, and
-- the batch is tried again until a process of this version applies it.
ALTER TABLE phone_sleep_segments RENAME TO phone_night_segments;
ALTER INDEX phone_sleep_segments_pkey RENAME TO phone_night_segments_pkey;
ALTER INDEX phone_sleep_segments_item RENAME TO phone_night_segments_item;
ALTER INDEX phone_sleep_segments_parent RENAME TO phone_night_segments_parent;

-- Batches that such processes gave up, which the next worker tries again.
CREATE INDEX phone_batches_unfit ON phone_batches (batch_id) WHERE state = 'failed' AND error_code LIKE '42%';
