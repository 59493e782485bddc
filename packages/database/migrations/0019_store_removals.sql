-- Owner: packages/store.

-- A removal leaves a receipt as a write does. A later write wins over it, an older one does not bring the record back.
-- A receipt without keys that tells of a removal covers every time between its two, whether there was a row or not.
ALTER TABLE sample_receipts ADD COLUMN is_removal boolean NOT NULL DEFAULT false;
ALTER TABLE summary_receipts ADD COLUMN is_removal boolean NOT NULL DEFAULT false;
