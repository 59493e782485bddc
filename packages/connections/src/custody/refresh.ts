import { AppError, errorCode, exponentialDelayMs, isAppError, withJitter } from '@pulsewire/kernel';
import { isConfigurationError, providerError, type RefreshOutcome } from '@pulsewire/providers';
import { discontinuedFailure } from '../connections/errors.ts';
import { markConnectionError } from '../connections/mark-error.ts';
import { applicationOf } from '../context/applications.ts';
import type { CustodyContext } from '../context/context.ts';
import { connectorOf } from '../context/find-connector.ts';
import { endRefreshLease, refreshTimeoutMs, type RefreshLease } from './refresh-lease.ts';
import { storeRefreshed } from './store-refreshed.ts';
import type { TokenRow } from './token-row.ts';
import type { ConnectionFailure } from '../model/connection.ts';
import { tokenContext } from '../model/seal-contexts.ts';
import { reportConfigurationFault } from '../providers/report-configuration-fault.ts';

const firstDelayMs = 1_000;
const delayMaxMs = 15 * 60_000;
/** After a rotation that we may have lost, tokens rejected this often over this time are given up: the user must link again. */
const unclearRefusalsMin = 5;
const unclearMaxMs = 24 * 3_600_000;
/** Delays after rejected logins; no shorter, because many providers lock the account after three to five. */
const loginDelaysMs = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;
const loginRefusalsMax = 3;
/** A provider that issues no tokens, to this account or to our application, is asked this often, at this interval. */
const withheldMax = 3;
const withheldDelayMs = 3_600_000;

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
      providerUserId: row.providerUserId,
      account: row.account,
      signal: AbortSignal.timeout(refreshTimeoutMs(connector)),
    });
  } catch (error) {
    // A configuration error occurs before the request is sent; a timeout may occur after the provider has rotated the tokens.
    return { outcome: 'unclear', retryable: !isAppError(error) || error.retryable, reason: errorCode(error) };
  }
}

// Null when the rejected tokens are no longer the connection's: the user has linked again in the meantime.
async function giveUp(context: CustodyContext, row: TokenRow, end: ConnectionFailure): Promise<AppError | null> {
  if (!(await markConnectionError(context, row.connectionId, { ...end, tokenVersion: row.version }))) return null;
  context.metrics.count('token_refreshes_total', { provider: row.provider, outcome: 'revoked' });
  return new AppError({ code: 'provider_consent_revoked', kind: 'forbidden', message: end.message });
}

type Failure = Exclude<RefreshOutcome, { outcome: 'refreshed' }>;

const refusedMessage = 'The provider refused to renew the access of this connection';

/** The tokens in force are revoked by the user: we could do so only with a valid token, and would end every consent of the account. */
function tooManyTokens(name: string): ConnectionFailure {
  const message = `The account has granted this app too many tokens: the user must remove the app in the account at ${name} and link again`;
  return { errorType: 'token_refresh_failed', message };
}

/** How this failure ends the connection; null when the refresh is attempted again. */
function endOf(context: CustodyContext, row: TokenRow, lease: RefreshLease, failure: Failure): ConnectionFailure | null {
  const refusals = row.refusals + 1;
  switch (failure.outcome) {
    case 'revoked': {
      const isOver = refusals >= unclearRefusalsMin && row.unclearMs >= unclearMaxMs;
      return !lease.isRepeat || isOver ? { errorType: 'token_refresh_failed', message: refusedMessage } : null;
    }
    case 'refused':
      return failure.isFinal || refusals >= loginRefusalsMax ? { errorType: failure.errorType, message: refusedMessage } : null;
    case 'withheld': {
      if (refusals < withheldMax) return null;
      const connector = connectorOf(context, row.provider);
      return failure.reason === 'discontinued' ? discontinuedFailure(connector) : tooManyTokens(connector.name);
    }
    case 'unclear':
      return null;
  }
}

/** The provider rejects our application, whoever the user is. */
function isOperators(failure: Failure): boolean {
  return failure.outcome === 'unclear' && isConfigurationError(failure.reason);
}

function delayOf(context: CustodyContext, row: TokenRow, failure: Failure): number {
  if (failure.outcome === 'withheld' || isOperators(failure)) return withJitter(withheldDelayMs, 0.2);
  if (failure.outcome === 'unclear' && failure.retryAfterMs !== undefined) return failure.retryAfterMs;
  const isLogin = context.connectorFor(row.provider)?.password != null;
  const usualMs = isLogin
    ? (loginDelaysMs[Math.min(row.failures, loginDelaysMs.length - 1)] ?? delayMaxMs)
    : exponentialDelayMs(row.failures, firstDelayMs, delayMaxMs);
  return withJitter(usualMs, 0.2);
}

/**
 * Handles a refresh that returned no tokens. Was the refresh token revoked, or did we rotate it ourselves? A definite rejection ends the
 * connection only when the token is certainly the current one: after a refresh with an unknown outcome, the provider may be rejecting a
 * token that our own request has rotated. Stored credentials cannot be rotated, but get three attempts, as does a provider that issues no
 * tokens. Everything else is unclear.
 */
async function handleFailure(context: CustodyContext, row: TokenRow, lease: RefreshLease, failure: Failure): Promise<AppError | null> {
  const end = endOf(context, row, lease, failure);
  if (end !== null) return giveUp(context, row, end);

  const isRefusal = failure.outcome !== 'unclear';
  // Rate limiting and a named rejection happen before the provider looks at the token; a lost or broken response may come after.
  const mayHaveArrived = failure.outcome === 'unclear' && failure.retryable && failure.reason !== 'http_429';
  const delayMs = delayOf(context, row, failure);
  await endRefreshLease(context.database, row, lease, { delayMs, mayHaveArrived, isRefusal });
  const reason = 'reason' in failure ? failure.reason : { revoked: 'refused_after_lost_answer', refused: 'login_refused' }[failure.outcome];
  context.metrics.count('token_refreshes_total', { provider: row.provider, outcome: 'unclear' });
  context.logger.warn({ connectionId: row.connectionId, provider: row.provider, reason }, 'token.refresh_unclear');
  if (isOperators(failure)) {
    const fault = providerError('provider_configuration', { reason }, delayMs);
    reportConfigurationFault(context, row.provider, fault);
    return fault;
  }
  return new AppError({
    code: 'token_refresh_pending',
    kind: 'unavailable',
    message: 'The access token could not be renewed yet',
    retryable: true,
    retryAfterMs: delayMs,
    details: { reason },
  });
}

/**
 * Refreshes under the lease. Afterwards the stored tokens are ours or newer ones, or the connection was ended elsewhere. Throws what
 * `getAccessToken` throws.
 */
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
