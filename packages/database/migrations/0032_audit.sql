-- Owner: packages/audit.

-- Who read, exported, changed or revealed what, when and from where. Entries are only ever added; they leave with their day.
CREATE TABLE audit_entries (
  day date NOT NULL,
  -- UUIDv7: in the order of time.
  entry_id uuid NOT NULL,
  at timestamptz NOT NULL,
  -- Null for what an operator did to the whole installation.
  team_id uuid,
  actor_kind text NOT NULL CHECK (actor_kind IN ('key', 'operator')),
  -- Of a key its id, of an operator the account and the machine.
  actor text NOT NULL,
  effect text NOT NULL CHECK (effect IN ('read', 'change', 'export', 'secret')),
  action text NOT NULL,
  user_id uuid,
  -- Other ids that the request named, such as webhook_id.
  target jsonb,
  address inet,
  -- HTTP status; of a command 0 or 1.
  status smallint NOT NULL,
  request_id text,
  PRIMARY KEY (entry_id, day)
) PARTITION BY RANGE (day);
CREATE TABLE audit_entries_default PARTITION OF audit_entries DEFAULT;
CREATE INDEX audit_entries_by_team ON audit_entries (team_id, entry_id);
CREATE INDEX audit_entries_by_user ON audit_entries (team_id, user_id, entry_id) WHERE user_id IS NOT NULL;

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Rows without a partition are moved into one, or dropped with their day, from the default partition.
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'audit_entries_default' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'Audit entries are never changed or deleted' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
