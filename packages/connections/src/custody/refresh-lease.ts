import { leaseEnd, type Executor, run } from '@pulsewire/database';
import type { Connector } from '@pulsewire/providers';
import { isNotNull } from 'drizzle-orm';
import { isRetryDue } from './retry-due.ts';
import type { TokenRow } from './token-row.ts';
import { connectionTokens } from '../model/tables.ts';

const usualTimeoutMs = 15_000;
/** A lease is this much longer than its request, because the response must be stored too. */
const storingMs = 15_000;

/**
 * No lease is this long: one that ends later was given by a clock that was ahead. It is shortened, and not taken at once as other leases are,
 * because its holder may be sending a refresh token that is accepted once.
 */
const leaseSecondsMax = 600;

/** How long a refresh may take: well below the two minutes within which a provider such as Fitbit repeats a lost response. */
export function refreshTimeoutMs(connector: Connector | undefined): number {
  return connector?.password?.loginTimeoutMs ?? usualTimeoutMs;
}

export interface RefreshLease {
  readonly epoch: string;
  /** An earlier refresh of the same tokens has no known outcome: the provider may have rotated them already. */
  readonly isRepeat: boolean;
}

/**
 * Takes the lease to refresh these tokens with a request of at most `timeoutMs`, for one holder among all processes, and records that a
 * request is about to be sent. Null when another process holds the lease, the tokens are no longer current, the connection is no longer
 * active, or the next attempt is not due. The connection is locked before its tokens, so no request is sent after a pause has committed.
 * Leases use the database's clock, because those of the processes differ. When that clock is set back, a
 * lease is shortened to what its holder may still need, and the delay after a failure ends.
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
    UPDATE connection_tokens t SET lease_epoch = t.lease_epoch + 1, lease_until = ${leaseEnd(sql, leaseMs)},
      refresh_sent_at = coalesce(t.refresh_sent_at, clock_timestamp())
    FROM free WHERE t.connection_id = free.connection_id
    RETURNING t.lease_epoch AS epoch, free.refresh_sent_at IS NOT NULL AS is_repeat`;
  if (taken) return { epoch: taken.epoch, isRepeat: taken.is_repeat };
  await sql`
    UPDATE connection_tokens SET lease_until = ${leaseEnd(sql, leaseMs)}
    WHERE connection_id = ${row.connectionId} AND lease_until > clock_timestamp() + make_interval(secs => ${leaseSecondsMax})`;
  return null;
}

interface RefreshFailure {
  /** Delay before the next attempt. */
  readonly delayMs: number;
  /** Whether the request may have reached the provider: then the tokens may be rotated, and a later rejection proves nothing. */
  readonly mayHaveArrived: boolean;
  readonly isRefusal: boolean;
}

/** Releases the lease after a failure. Changes nothing when another process holds the lease by now. */
export async function endRefreshLease({ sql }: Executor, row: TokenRow, lease: RefreshLease, failure: RefreshFailure): Promise<void> {
  const keepsMark = failure.mayHaveArrived || lease.isRepeat;
  await sql`
    UPDATE connection_tokens SET lease_until = NULL,
      refresh_sent_at = CASE WHEN ${keepsMark}::boolean THEN refresh_sent_at END,
      next_refresh_at = clock_timestamp() + make_interval(secs => ${failure.delayMs / 1000}), setback_at = clock_timestamp(),
      failures = failures + 1, refusals = refusals + ${failure.isRefusal ? 1 : 0},
      unclear_since = CASE WHEN ${failure.isRefusal}::boolean THEN coalesce(unclear_since, clock_timestamp()) ELSE unclear_since END
    WHERE connection_id = ${row.connectionId} AND lease_epoch = ${lease.epoch}::bigint AND token_version = ${row.version.toString()}::bigint`;
}

/** Releases the leases of tokens that a process was refreshing when a backup was made. Only while no process runs. Returns how many. */
export async function releaseRefreshLeases({ orm }: Executor): Promise<number> {
  const { connectionId, leaseUntil } = connectionTokens;
  const rows = await run(orm.update(connectionTokens).set({ leaseUntil: null }).where(isNotNull(leaseUntil)).returning({ connectionId }));
  return rows.length;
}
