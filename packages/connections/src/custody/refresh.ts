import { AppError, errorCode, exponentialDelayMs, isAppError, withJitter } from '@pulsewire/kernel';
import type { RefreshOutcome } from '@pulsewire/providers';
import { applicationOf, connectorOf } from '../applications.ts';
import type { CustodyContext } from '../context.ts';
import { markConnectionError } from '../connections/mark-error.ts';
import { endRefreshLease, type RefreshLease } from './refresh-lease.ts';
import { storeRefreshed } from './store-refreshed.ts';
import { tokenContext, type TokenRow } from './token-row.ts';

const requestTimeoutMs = 15_000;
const firstDelayMs = 1_000;
const delayMaxMs = 15 * 60_000;
/** A pair that was refused this often over this time, after a rotation that we may have lost, is given up: the user must link again. */
const unclearRefusalsMin = 5;
const unclearMaxMs = 24 * 3_600_000;

async function request(context: CustodyContext, row: TokenRow): Promise<RefreshOutcome> {
  try {
    const application = await applicationOf(context.database, context, row);
    const refreshToken = context.cipher.open(row.refreshToken as Buffer, tokenContext(row.connectionId));
    return await context.gate.refresh({
      connector: connectorOf(context, row.provider),
      application,
      refreshToken,
      redirectUrl: row.redirectUrl,
      account: row.account,
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
  } catch (error) {
    // A wrong configuration is found before anything leaves; a deadline may pass after the provider has rotated.
    return { outcome: 'unclear', retryable: !isAppError(error) || error.retryable, reason: errorCode(error) };
  }
}

/** Whether the renewal is a login: a refusal of it cannot be the echo of a rotation, and repeating it may lock the account. */
const isLogin = (context: CustodyContext, { provider }: TokenRow) => context.connectorFor(provider)?.password != null;

// Null when the refused pair is not the connection's any more: the user has linked again meanwhile, and nothing has ended.
async function giveUp(context: CustodyContext, row: TokenRow): Promise<AppError | null> {
  const isMarked = await markConnectionError(context, row.connectionId, {
    errorType: isLogin(context, row) ? 'provider_credential_error' : 'token_refresh_failed',
    message: 'The provider refused to renew the access of this connection',
    tokenVersion: row.version,
  });
  if (!isMarked) return null;
  context.metrics.count('token_refreshes_total', { provider: row.provider, outcome: 'revoked' });
  return new AppError({
    code: 'provider_consent_revoked',
    kind: 'forbidden',
    message: 'The provider refused to renew the access of this connection',
  });
}

type Setback = Exclude<RefreshOutcome, { outcome: 'refreshed' }>;

/**
 * Reacts to a refresh that brought no tokens. Only the provider's definite refusal of a pair that certainly is the current one ends the
 * connection; after a refresh whose outcome we never saw, the same words may be the echo of our own rotation, and anything else is ambiguous.
 */
async function onSetback(context: CustodyContext, row: TokenRow, lease: RefreshLease, setback: Setback): Promise<AppError | null> {
  const isRefusal = setback.outcome === 'revoked';
  if (isRefusal && (!lease.isRepeat || isLogin(context, row))) return giveUp(context, row);
  if (isRefusal && row.refusals + 1 >= unclearRefusalsMin && row.unclearMs >= unclearMaxMs) return giveUp(context, row);

  // A quota answer and a named refusal come before the provider looks at the token; a lost or broken answer may come after.
  const mayHaveArrived = setback.outcome === 'unclear' && setback.retryable && setback.reason !== 'http_429';
  const retryAfterMs = setback.outcome === 'unclear' ? setback.retryAfterMs : undefined;
  const delayMs = retryAfterMs ?? withJitter(exponentialDelayMs(row.failures, firstDelayMs, delayMaxMs), 0.2);
  await endRefreshLease(context.database, row, lease, { delayMs, mayHaveArrived, isRefusal });
  const reason = setback.outcome === 'unclear' ? setback.reason : 'refused_after_lost_answer';
  context.metrics.count('token_refreshes_total', { provider: row.provider, outcome: 'unclear' });
  context.logger.warn({ connection_id: row.connectionId, provider: row.provider, reason }, 'token.refresh_unclear');
  return new AppError({
    code: 'token_refresh_pending',
    kind: 'unavailable',
    message: 'The access token could not be renewed yet',
    retryable: true,
    retryAfterMs: delayMs,
    details: { reason },
  });
}

/** Refreshes under the lease. Afterwards the stored pair is ours, or a newer one, or the connection was ended by somebody else. Throws what `getAccessToken` throws. */
export async function refreshUnderLease(context: CustodyContext, row: TokenRow, lease: RefreshLease): Promise<void> {
  const result = await request(context, row);
  if (result.outcome !== 'refreshed') {
    const error = await onSetback(context, row, lease, result);
    if (error) throw error;
    return context.metrics.count('token_refreshes_total', { provider: row.provider, outcome: 'overtaken' });
  }
  const isStored = await storeRefreshed(context, row, result.tokens);
  context.metrics.count('token_refreshes_total', { provider: row.provider, outcome: isStored ? 'refreshed' : 'overtaken' });
}
