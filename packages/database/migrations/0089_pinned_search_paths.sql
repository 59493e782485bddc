-- Owner: packages/database.

-- These functions run with the rights of the owner, or for one that does. A path that does not name `pg_temp` searches it first, even before
-- `pg_catalog`, so that whoever may make temporary tables could have had code of their own run as the owner.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION daily_partition_schema(text) SET search_path = pg_catalog, %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION make_daily_partition(text, date) SET search_path = pg_catalog, %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION drop_daily_partition(text, date) SET search_path = pg_catalog, %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION require_sample_pieces() SET search_path = pg_catalog, %I, pg_temp', current_schema());
END
$$;
