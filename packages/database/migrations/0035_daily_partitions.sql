-- Owner: packages/database.

-- Daily partitions for processes whose role may not create or drop tables. These functions run as the owner of the tables, and touch
-- nothing but daily partitions of tables that this owner may change.

CREATE FUNCTION daily_partition_schema(parent text) RETURNS text LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE home text;
BEGIN
  SELECT n.nspname INTO home FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.oid = to_regclass(quote_ident(parent)) AND c.relkind = 'p' AND pg_has_role(current_user, c.relowner, 'USAGE');
  IF home IS NULL THEN
    RAISE EXCEPTION 'There is no partitioned table % of this owner', parent USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN home;
END
$$;

-- Makes the partition of one day where it is missing; rows of the day that went to the default partition are moved.
CREATE FUNCTION make_daily_partition(parent text, of_day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  home text := daily_partition_schema(parent);
  child text := parent || to_char(of_day, '"_"YYYYMMDD');
  bounds text := format('FOR VALUES FROM (%L) TO (%L)', of_day, of_day + 1);
BEGIN
  EXECUTE format('CREATE TABLE %I.%I PARTITION OF %I.%I %s', home, child, home, parent, bounds);
EXCEPTION WHEN check_violation THEN
  EXECUTE format('LOCK TABLE %I.%I IN ACCESS EXCLUSIVE MODE', home, parent);
  IF to_regclass(format('%I.%I', home, child)) IS NULL THEN
    EXECUTE format('CREATE TABLE %I.%I (LIKE %I.%I INCLUDING ALL)', home, child, home, parent);
    EXECUTE format('WITH moved AS (DELETE FROM %I.%I WHERE day = %L RETURNING *) INSERT INTO %I.%I SELECT * FROM moved',
      home, parent || '_default', of_day, home, child);
    EXECUTE format('ALTER TABLE %I.%I ATTACH PARTITION %I.%I %s', home, parent, home, child, bounds);
  END IF;
END
$$;

CREATE FUNCTION drop_daily_partition(parent text, of_day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS %I.%I', daily_partition_schema(parent), parent || to_char(of_day, '"_"YYYYMMDD'));
END
$$;

REVOKE EXECUTE ON FUNCTION daily_partition_schema(text), make_daily_partition(text, date), drop_daily_partition(text, date) FROM PUBLIC;
