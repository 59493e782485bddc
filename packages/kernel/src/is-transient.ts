import { errorCode, isAppError } from './errors.ts';

// Network errors; errors of a Postgres that is starting, stopping, full or only readable; and of our driver's connections. A pooler that
// refuses our protocol (08P01) will refuse it again.
const network = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$/;
const database = /^(CONNECT_TIMEOUT|CONNECTION_\w+|TRANSACTION_NOT_COMMITTED|57P0[1-3]|08(?!P01)\w{3}|53\w{3}|25006)$/;

/** Whether this code says that the database is unavailable for the moment. */
export function isDatabaseOutage(code: string): boolean {
  return database.test(code);
}

/** Whether a dependency is unavailable, so that the same call may succeed later. */
export function isTransient(error: unknown): boolean {
  if (isAppError(error)) return error.retryable;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isTransient);
  const code = errorCode(error);
  return network.test(code) || database.test(code);
}
