-- Owner: packages/connections.

-- Whether references of users that look like an e-mail address or a telephone number are refused. Off: they are accepted with a warning.
ALTER TABLE teams ADD COLUMN refuse_personal_references boolean NOT NULL DEFAULT false;
