import type { ErrorKind } from './error-codes/error-code-entry.ts';
import type { ErrorCode } from './error-codes/error-codes.ts';

export interface AppErrorOptions {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly message: string;
  /** Whether the same call may succeed later. Decided where the cause is known. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  /** Variable data. Never a health value, a token or a body. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

// A registered symbol instead of instanceof: two copies of this package still recognise each other's errors.
const brand = Symbol.for('pulsewire.AppError');

/** The error class of this project: a static message, a stable code, and whether a retry may succeed. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(options: AppErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    this.kind = options.kind;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.details = options.details ?? {};
    Object.defineProperty(this, brand, { value: true });
  }
}

/** True for an AppError of any copy of this package. */
export function isAppError(value: unknown): value is AppError {
  return typeof value === 'object' && value !== null && brand in value;
}

/** Codes of Node, Postgres (SQLSTATE) and libraries: ECONNRESET, 55P03, CONNECTION_ENDED. */
type ForeignCode = Uppercase<string>;

/** The stable code of any thrown value: the AppError's own, a system error's (ECONNRESET), else `unknown`. */
export function errorCode(value: unknown): ErrorCode | ForeignCode | 'unknown' {
  if (isAppError(value)) return value.code;
  if (typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string') return value.code as ForeignCode;
  return 'unknown';
}

/** The message of any thrown value. */
export function errorMessage(value: unknown): string {
  return value instanceof Error ? value.message : String(value);
}

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
