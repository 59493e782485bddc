-- Owner: packages/database.

-- Keys of encrypted columns, each encrypted by a key management service (KMS): a copy of the database alone opens nothing.
CREATE TABLE encryption_data_keys (
  key_id smallint PRIMARY KEY CHECK (key_id BETWEEN 1 AND 255),
  -- As the KMS gave it.
  wrapped bytea NOT NULL,
  -- Key of the KMS, such as `vault:transit/pulsewire`, and its version.
  kms_key text NOT NULL,
  kms_key_version integer NOT NULL,
  -- False until every process had the chance to load the key: until then it only opens.
  is_active boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  wrapped_at timestamptz NOT NULL DEFAULT now()
);
