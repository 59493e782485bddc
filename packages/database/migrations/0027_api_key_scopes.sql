-- Owner: packages/connections.

-- What a key may do, from where and until when. Null scopes and addresses: everything, from anywhere.
ALTER TABLE api_keys
  ADD COLUMN scopes text[],
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN allowed_addresses cidr[],
  -- Rounded to a minute: written for many requests at once.
  ADD COLUMN last_used_at timestamptz;
