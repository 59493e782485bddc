-- Owner: packages/connections.

-- Links by e-mail that wait for the provider's practice. A row is there as long as it waits: confirmed it becomes a
-- connection, declined or out of time it is gone, and the address with it.
CREATE TABLE email_links (
  link_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  -- As the person gave it; compared without regard to case.
  email text NOT NULL,
  region text,
  -- Whose account at the provider the practice is.
  application text NOT NULL CHECK (application IN ('team', 'platform')),
  -- The address that the event of the connection names for artwork, as the process that took the request knows it.
  logo_base_url text NOT NULL,
  requested_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX email_links_once ON email_links (user_id, provider);
CREATE INDEX email_links_by_address ON email_links (team_id, provider, lower(email));
CREATE INDEX email_links_expiring ON email_links (expires_at);
