import type { SealedColumn } from '@pulsewire/database';

/** Every sealed column of this package, for the rotation of keys. */
export const webhookSealedColumns: readonly SealedColumn[] = [
  'secret',
  'previous_secrets',
  'headers',
  'signing_key',
  'previous_signing_keys',
].map((column) => ({
  table: 'webhook_endpoints',
  column,
  contextColumns: ['endpoint_id'],
  context: ([endpointId = '']) => `webhook_endpoint:${endpointId}:${column}`,
}));
