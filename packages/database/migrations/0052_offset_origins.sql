-- Owner: packages/store.

-- Where the offset of a sample or summary came from: 1 the value, 2 the zone that the provider reports, 3 the user's fallback zone. Null: there
-- is no offset (times were read as UTC), or the row was stored before this column. Nullable without a default, so no row is rewritten.
ALTER TABLE samples ADD COLUMN tz_origin smallint;
ALTER TABLE summaries ADD COLUMN tz_origin smallint;
