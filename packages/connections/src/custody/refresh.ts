import type { ConnectionErrorType } from '@pulsewire/contract';
import { AppError, errorCode, exponentialDelayMs, isAppError, withJitter } from '@pulsewire/kernel';
import type { RefreshOutcome } from '@pulsewire/providers';
import { markConnectionError } from '../connections/mark-error.ts';
import { applicationOf } from '../context/applications.ts';
import type { CustodyContext } from '../context/context.ts';
import { connectorOf } from '../context/find-connector.ts';
import { tokenContext } from '../model/seal-contexts.ts';
import { endRefreshLease, refreshTimeoutMs, type RefreshLease } from './refresh-lease.ts';
import { storeRefreshed } from './store-refreshed.ts';
import type { TokenRow } from './token-row.ts';

const firstDelayMs = 1_000;
const delayMaxMs = 15 * 60_000;
/** A pair that was refused this often over this time, after a rotation that we may have lost, is given up: the user must link again. */
const unclearRefusalsMin = 5;
const unclearMaxMs = 24 * 3_600_000;
/** Logins that a provider refused are repeated this late, and no more often: many lock the account after three to five. */
const loginDelaysMs = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;
const loginRefusalsMax = 3;

async function request(context: CustodyContext, row: TokenRow): Promise<RefreshOutcome> {
  try {
    const connector = connectorOf(context, row.provider);
    const application = await applicationOf(context.database, context, row);
    const refreshToken = context.cipher.open(row.refreshToken as Buffer, tokenContext(row.connectionId));
    return await context.gate.refresh({
      connector,
      application,
      refreshToken,
      redirectUrl: row.redirectUrl,
      account: row.account,
      signal: AbortSignal.timeout(refreshTimeoutMs(connector)),
    });
  } catch (error) {
    // A wrong configuration is found before anything leaves; a deadline may pass after the provider has rotated.
    return { outcome: 'unclear', retryable: !isAppError(error) || error.retryable, reason: errorCode(error) };
  }
}

// Null when the refused pair is not the connection's any more: the user has linked again meanwhile, and nothing has ended.
async function giveUp(context: CustodyContext, row: TokenRow, errorType: ConnectionErrorType): Promise<AppError | null> {
  const isMarked = await markConnectionError(context, row.connectionId, {
    errorType,
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

/** How the connection ends by this setback; null: it goes on. */
function terminalErrorOf(row: TokenRow, lease: RefreshLease, setback: Setback): ConnectionErrorType | null {
  switch (setback.outcome) {
    case 'revoked': {
      const isOver = row.refusals + 1 >= unclearRefusalsMin && row.unclearMs >= unclearMaxMs;
      return !lease.isRepeat || isOver ? 'token_refresh_failed' : null;
    }
    case 'refused':
      return setback.isFinal || row.refusals + 1 >= loginRefusalsMax ? setback.errorType : null;
    case 'unclear':
      return null;
  }
}

function delayOf(context: CustodyContext, row: TokenRow, setback: Setback): number {
  if (setback.outcome === 'unclear' && setback.retryAfterMs !== undefined) return setback.retryAfterMs;
  const isLogin = context.connectorFor(row.provider)?.password != null;
  const usualMs = isLogin
    ? (loginDelaysMs[Math.min(row.failures, loginDelaysMs.length - 1)] ?? delayMaxMs)
    : exponentialDelayMs(row.failures, firstDelayMs, delayMaxMs);
  return withJitter(usualMs, 0.2);
}

/**
 * Reacts to a refresh that brought no tokens. A token's definite refusal ends the connection when the token certainly is the current one;
 * after a refresh whose outcome we never saw, the same words may be the echo of our own rotation. Kept credentials have no echo, but are
 * tried three times. Anything else is ambiguous.
 */
async function handleFailure(context: CustodyContext, row: TokenRow, lease: RefreshLease, setback: Setback): Promise<AppError | null> {
  const errorType = terminalErrorOf(row, lease, setback);
  if (errorType !== null) return giveUp(context, row, errorType);

  const isRefusal = setback.outcome !== 'unclear';
  // A quota answer and a named refusal come before the provider looks at the token; a lost or broken answer may come after.
  const mayHaveArrived = setback.outcome === 'unclear' && setback.retryable && setback.reason !== 'http_429';
  const delayMs = delayOf(context, row, setback);
  await endRefreshLease(context.database, row, lease, { delayMs, mayHaveArrived, isRefusal });
  const reason =
    setback.outcome === 'unclear' ? setback.reason : { revoked: 'refused_after_lost_answer', refused: 'login_refused' }[setback.outcome];
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
    const error = await handleFailure(context, row, lease, result);
    if (error) throw error;
    return context.metrics.count('token_refreshes_total', { provider: row.provider, outcome: 'overtaken' });
  }
  const isStored = await storeRefreshed(context, row, result.tokens);
  context.metrics.count('token_refreshes_total', { provider: row.provider, outcome: isStored ? 'refreshed' : 'overtaken' });
}
