/** Programs that tests start as processes, by their main modules. */
export const sources = [
  'services/api/src/main.ts',
  'services/dispatcher/src/main.ts',
  'services/ingest/src/main.ts',
  'services/relay/src/main.ts',
  'services/scheduler/src/main.ts',
  'services/standalone/src/main.ts',
  'services/standalone/src/admin.ts',
  'test/fault/custody/worker.ts',
  'test/fault/harness/writer.ts',
  'test/fault/orders/api-process.ts',
  'test/fault/orders/lab-company.ts',
  'test/fault/orders/scheduler.ts',
  'test/integration/bulk/importer.ts',
  'test/integration/ingest/support/push-worker.ts',
  'test/integration/labs/support/booking-worker.ts',
  'test/integration/labs/support/stuck-request.ts',
] as const;
