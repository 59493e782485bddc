import { AppError, isAppError, sleep } from '@pulsewire/kernel';
import { connectionNotFound } from '../connections/errors.ts';
import { markConnectionError } from '../connections/mark-error.ts';
import type { CustodyContext } from '../context/context.ts';
import { refreshTimeoutMs, takeRefreshLease } from './refresh-lease.ts';
import { refreshUnderLease } from './refresh.ts';
import { readTokenRow, type TokenRow } from './token-row.ts';
import { tokenContext } from '../model/seal-contexts.ts';

/** A valid access token. Never logged. */
export interface AccessToken {
  readonly accessToken: string;
  readonly expiresAt: Date | null;
  /** Pass this version to `getAccessToken` when the provider rejects the token with 401. */
  readonly version: bigint;
}

export interface AccessTokenOptions {
  /** Version of a token that the provider has just rejected as expired; a newer one is needed. */
  readonly rejectedVersion?: bigint;
  readonly signal?: AbortSignal;
}

/** A token with a shorter remaining life is not returned: it must outlive the call that it is used for. */
const validMinMs = 60_000;
/** Refreshes are spread over this time before that, so that connections of one day do not all refresh in the same minute. */
const spreadMs = 10 * 60_000;
const waitMaxMs = 20_000;
const pollMs = 40;

/** Neither exceeds this share of a token's life, or tokens of a few minutes would be renewed at every call. */
const lifetimeShare = 1 / 4;

/**
 * Times before the expiry: from `soonMs` on the token is renewed, from `nowMs` on it is no longer returned. The same in every process,
 * different for each connection.
 */
function leadOf({ connectionId, issuedAt }: TokenRow, expiresAt: Date): { readonly soonMs: number; readonly nowMs: number } {
  const shareMs = Math.max(0, expiresAt.getTime() - issuedAt.getTime()) * lifetimeShare;
  const nowMs = Math.min(validMinMs, shareMs);
  return { nowMs, soonMs: nowMs + (Number.parseInt(connectionId.slice(0, 8), 16) / 0xff_ff_ff_ff) * Math.min(spreadMs, shareMs) };
}

type Need = 'none' | 'soon' | 'now';

function needOf(row: TokenRow, nowMs: number, options: AccessTokenOptions): Need {
  if (options.rejectedVersion !== undefined && row.version <= options.rejectedVersion) return 'now';
  if (row.expiresAt === null) return 'none';
  const leftMs = row.expiresAt.getTime() - nowMs;
  const lead = leadOf(row, row.expiresAt);
  if (leftMs <= lead.nowMs) return 'now';
  return row.refreshToken !== null && leftMs <= lead.soonMs ? 'soon' : 'none';
}

function assertUsable(row: TokenRow | null): TokenRow {
  if (row === null) throw connectionNotFound();
  if (row.status === 'connected') return row;
  throw new AppError({
    code: row.status === 'error' ? 'connection_errored' : 'connection_paused',
    kind: 'forbidden',
    message: 'This connection is not active',
  });
}

function open(context: CustodyContext, row: TokenRow): AccessToken {
  return {
    accessToken: context.cipher.open(row.accessToken, tokenContext(row.connectionId)),
    expiresAt: row.expiresAt,
    version: row.version,
  };
}

async function failWithoutRenewal(context: CustodyContext, row: TokenRow): Promise<AppError | null> {
  const isMarked = await markConnectionError(context, row.connectionId, {
    errorType: 'token_refresh_failed',
    message: 'The access token has expired, and the provider issued no refresh token',
    tokenVersion: row.version,
  });
  if (!isMarked) return null;
  return new AppError({
    code: 'provider_consent_revoked',
    kind: 'upstream',
    message: 'The access token has expired, and the provider issued no refresh token',
  });
}

function pending(row: TokenRow): AppError {
  const retryAfterMs = Math.max(pollMs, Math.ceil(row.retryInMs));
  return new AppError({
    code: 'token_refresh_pending',
    kind: 'unavailable',
    message: 'The access token could not be renewed yet',
    retryable: true,
    retryAfterMs,
  });
}

/**
 * A valid access token of a connection, refreshed when needed: once, by the process that gets the lease; all others wait for the stored
 * result. While the old token is valid, callers do not wait and a failed refresh does not matter. Throws AppError `connection_not_found`,
 * `connection_errored`, `connection_paused`, `provider_consent_revoked` (the connection was marked with an error), or
 * `token_refresh_pending` or, where the provider rejects our application, `provider_configuration` (both retryable, with a delay).
 */
export async function getAccessToken(
  context: CustodyContext,
  connectionId: string,
  options: AccessTokenOptions = {},
): Promise<AccessToken> {
  const deadlineMs = context.clock.monotonicMs() + waitMaxMs;
  let triedVersion: bigint | null = null;
  for (;;) {
    const row = assertUsable(await readTokenRow(context.database, connectionId));
    const nowMs = context.clock.now().getTime();
    const need = needOf(row, nowMs, options);
    // Tokens stored in the meantime are the newest, however short their life.
    if (need === 'none' || (triedVersion !== null && row.version > triedVersion)) return open(context, row);
    if (row.refreshToken === null) {
      const error = await failWithoutRenewal(context, row);
      if (error) throw error;
      continue;
    }
    const isBackingOff = row.retryInMs > 0;
    if (isBackingOff && need === 'now') throw pending(row);
    const timeoutMs = refreshTimeoutMs(context.connectorFor(row.provider));
    const lease = isBackingOff ? null : await takeRefreshLease(context.database, row, timeoutMs);
    if (lease) {
      triedVersion = row.version;
      try {
        await refreshUnderLease(context, row, lease);
      } catch (error) {
        if (need === 'soon' && isAppError(error) && error.retryable) return open(context, row);
        throw error;
      }
      continue;
    }
    if (need === 'soon') return open(context, row);
    if (context.clock.monotonicMs() >= deadlineMs || options.signal?.aborted) throw pending(row);
    await sleep(pollMs, options.signal);
  }
}
