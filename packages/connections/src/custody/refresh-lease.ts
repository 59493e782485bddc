import type { Executor } from '@pulsewire/database';
import type { Connector } from '@pulsewire/providers';
import { isRetryDue } from './retry-due.ts';
import type { TokenRow } from './token-row.ts';

const usualTimeoutMs = 15_000;
/** A lease is so much longer than its request: the answer is to be stored too. */
const storingMs = 15_000;

/** No lease is as long: one that ends later was given by a clock that was ahead, and would outlast its holder by as much. */
const leaseSecondsMax = 600;

/** How long a refresh may take: well below the two minutes in which a provider such as Fitbit repeats a lost answer. */
export function refreshTimeoutMs(connector: Connector | undefined): number {
  return connector?.password?.loginTimeoutMs ?? usualTimeoutMs;
}

export interface RefreshLease {
  readonly epoch: string;
  /** An earlier refresh of the same pair left without an outcome: the provider may have rotated what we still hold. */
  readonly isRepeat: boolean;
}

/**
 * Takes the right to refresh this pair with a request of at most `timeoutMs`, for one holder among all processes, and writes down that it is about to leave.
 * Null when somebody else is at work, the pair is not the current one any more, the connection is not active any more, or the next try
 * is not due. The connection's row is taken before its tokens', as everywhere: once a pause has committed, nothing leaves. Leases run on the database's
 * clock: processes differ. When that clock is set back, a lease is shortened to what its holder may still need, and a wait for the next try is over.
 */
export async function takeRefreshLease({ sql }: Executor, row: TokenRow, timeoutMs = usualTimeoutMs): Promise<RefreshLease | null> {
  const leaseMs = timeoutMs + storingMs;
  const [taken] = await sql<{ epoch: string; is_repeat: boolean }[]>`
    WITH live AS MATERIALIZED (
      SELECT connection_id FROM connections WHERE connection_id = ${row.connectionId} AND status = 'connected' FOR SHARE),
    free AS (
      SELECT connection_id, refresh_sent_at FROM connection_tokens
      WHERE connection_id IN (SELECT connection_id FROM live) AND connection_id = ${row.connectionId} AND token_version = ${row.version.toString()}::bigint
        AND (lease_until IS NULL OR lease_until < clock_timestamp())
        AND ${isRetryDue(sql)}
      FOR UPDATE)
    UPDATE connection_tokens t SET lease_epoch = t.lease_epoch + 1, lease_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1000}),
      refresh_sent_at = coalesce(t.refresh_sent_at, clock_timestamp())
    FROM free WHERE t.connection_id = free.connection_id
    RETURNING t.lease_epoch AS epoch, free.refresh_sent_at IS NOT NULL AS is_repeat`;
  if (taken) return { epoch: taken.epoch, isRepeat: taken.is_repeat };
  await sql`
    UPDATE connection_tokens SET lease_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
    WHERE connection_id = ${row.connectionId} AND lease_until > clock_timestamp() + make_interval(secs => ${leaseSecondsMax})`;
  return null;
}

export interface RefreshFailure {
  /** When to try again. */
  readonly delayMs: number;
  /** Whether the request may have reached the provider: then the pair may be rotated, and a later refusal proves nothing. */
  readonly mayHaveArrived: boolean;
  readonly isRefusal: boolean;
}

/** Gives the lease back after a failure. A holder whose lease went to another one changes nothing. */
export async function endRefreshLease({ sql }: Executor, row: TokenRow, lease: RefreshLease, setback: RefreshFailure): Promise<void> {
  const keepsMark = setback.mayHaveArrived || lease.isRepeat;
  await sql`
    UPDATE connection_tokens SET lease_until = NULL,
      refresh_sent_at = CASE WHEN ${keepsMark}::boolean THEN refresh_sent_at END,
      next_refresh_at = clock_timestamp() + make_interval(secs => ${setback.delayMs / 1000}), setback_at = clock_timestamp(),
      failures = failures + 1, refusals = refusals + ${setback.isRefusal ? 1 : 0},
      unclear_since = CASE WHEN ${setback.isRefusal}::boolean THEN coalesce(unclear_since, clock_timestamp()) ELSE unclear_since END
    WHERE connection_id = ${row.connectionId} AND lease_epoch = ${lease.epoch}::bigint AND token_version = ${row.version.toString()}::bigint`;
}
