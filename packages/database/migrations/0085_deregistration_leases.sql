-- Owner: packages/connections.

-- Raised by every claim, so that a worker whose lease has ended writes nothing.
ALTER TABLE deregistrations ADD COLUMN lease_epoch bigint NOT NULL DEFAULT 0;

-- New tokens end the lease of whoever is revoking the previous ones: they must be revoked too. A trigger, because processes of the version
-- before do not know the column.
CREATE FUNCTION deregistration_tokens_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.lease_epoch := OLD.lease_epoch + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER deregistration_tokens_changed BEFORE UPDATE OF access_token ON deregistrations FOR EACH ROW
  WHEN (NEW.access_token <> OLD.access_token) EXECUTE FUNCTION deregistration_tokens_changed();
