-- Owner: packages/connections.

-- When the last failure to renew was written down, by the database's clock. In the future: that clock was ahead then, and so is next_refresh_at.
ALTER TABLE connection_tokens ADD COLUMN setback_at timestamptz;
