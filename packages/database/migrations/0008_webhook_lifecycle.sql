-- Owner: packages/webhooks.

ALTER TABLE webhook_endpoints
  -- Since when it gets nothing; null while it is enabled.
  ADD COLUMN disabled_at timestamptz,
  -- When endpoint.failing was emitted for the time since failing_since.
  ADD COLUMN failing_warned_at timestamptz,
  -- JSON: the public halves of the keys in signing_key and previous_signing_keys, each with the end of its time.
  -- Apart from them, so that whoever publishes them never opens a private key.
  ADD COLUMN public_keys text;

COMMENT ON COLUMN webhook_endpoints.failing_since IS
  'Since when deliveries to this endpoint have been failing: set after several failures with half a day between them, cleared by a success. Written by the periodic check alone.';

-- What dispatchers noted before the look took over was another thing: that a circuit was open.
UPDATE webhook_endpoints SET failing_since = NULL WHERE failing_since IS NOT NULL;
UPDATE webhook_endpoints SET disabled_at = updated_at WHERE is_disabled;

-- Finds the endpoints that fail without a step for each of the others.
CREATE INDEX webhook_endpoints_failing ON webhook_endpoints (endpoint_id) WHERE failing_since IS NOT NULL;
