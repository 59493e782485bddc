import { errorCode, exponentialDelayMs, isAppError } from '@pulsewire/kernel';
import type { TokenSet } from '@pulsewire/providers';
import { applicationOf } from '../context/applications.ts';
import type { CustodyContext } from '../context/context.ts';
import { connectorOf } from '../context/find-connector.ts';
import type { Deregistration } from '../model/deregistration.ts';
import { tokenContext } from '../model/seal-contexts.ts';
import { fetchAccountId, assertNotLinking, isConsentInUse } from './consent-use.ts';

/** What a connector has to do at the provider beside revoking, such as removing subscriptions. */
export type ProviderCleanup = (deregistration: Deregistration, accessToken: string, signal: AbortSignal) => Promise<void>;

interface DeregistrationRow {
  readonly connection_id: string;
  readonly team_id: string;
  readonly user_id: string;
  readonly provider: string;
  readonly provider_user_id: string | null;
  readonly application: 'team' | 'platform';
  readonly granted_scopes: string[];
  /** null: the tokens were never a connection. */
  readonly account: Record<string, unknown> | null;
  readonly access_token: Buffer;
  readonly refresh_token: Buffer | null;
  readonly attempts: number;
}

const callTimeoutMs = 10_000;
const claimMs = 60_000;
/** With the waits between them most of a day: an outage of an evening costs no revocation. */
const attemptsMax = 12;
/** Then the consent is taken back even though a subscription may stay: it can tell of nothing any more. */
const unsubscribeAttemptsMax = 4;
const firstDelayMs = 60_000;
const delayMaxMs = 6 * 3_600_000;

/** The access token that the note has now, by which its worker knows it as its own. */
interface Held {
  accessToken: Buffer;
}

async function storeRenewed(context: CustodyContext, row: DeregistrationRow, held: Held, tokens: TokenSet): Promise<void> {
  const bound = tokenContext(row.connection_id);
  const accessToken = context.cipher.seal(tokens.accessToken, bound);
  const refreshToken = tokens.refreshToken === null ? row.refresh_token : context.cipher.seal(tokens.refreshToken, bound);
  await context.database.sql`
    UPDATE deregistrations SET access_token = ${accessToken}, refresh_token = ${refreshToken}
    WHERE connection_id = ${row.connection_id} AND access_token = ${held.accessToken}`;
  held.accessToken = accessToken;
}

/** False: the consent was left alone, for another connection lives by it. */
async function revokeAtProvider(
  context: CustodyContext,
  row: DeregistrationRow,
  held: Held,
  cleanUpProvider: ProviderCleanup | undefined,
): Promise<boolean> {
  const noted: Deregistration = {
    connectionId: row.connection_id,
    teamId: row.team_id,
    userId: row.user_id,
    provider: row.provider,
    providerUserId: row.provider_user_id,
    application: row.application,
    grantedScopes: row.granted_scopes,
    account: row.account ?? {},
  };
  await assertNotLinking(context, noted);
  if (noted.providerUserId !== null && (await isConsentInUse(context, noted, noted.providerUserId))) return false;
  const application = await applicationOf(context.database, context, noted);
  const connector = connectorOf(context, row.provider);
  const bound = tokenContext(row.connection_id);
  const accessToken = context.cipher.open(row.access_token, bound);
  const isKnown = noted.providerUserId !== null || connector.oauth === null || application === null;
  const providerUserId = isKnown ? noted.providerUserId : await fetchAccountId(context, { connector, application, accessToken }, noted);
  if (!isKnown && (await belongsToAnother(context, row, noted, providerUserId))) return false;
  const deregistration: Deregistration = { ...noted, providerUserId };
  const refreshToken = row.refresh_token && context.cipher.open(row.refresh_token, bound);
  // Subscriptions go first, they need the token; without it the revocation takes them along at most providers.
  await cleanUpProvider?.(deregistration, accessToken, AbortSignal.timeout(callTimeoutMs)).catch((error: unknown) => {
    context.logger.info({ provider: row.provider, connection_id: row.connection_id, error }, 'deregistration.unsubscribe_failed');
    const mayPass = !isAppError(error) || error.retryable;
    if (mayPass && row.attempts + 1 < unsubscribeAttemptsMax) throw error;
  });
  // Somebody may have linked the same account while the provider was asked.
  await assertNotLinking(context, noted);
  if (providerUserId !== null && (await isConsentInUse(context, noted, providerUserId))) return false;
  const signal = AbortSignal.timeout(callTimeoutMs);
  const onRenewed = (tokens: TokenSet) => storeRenewed(context, row, held, tokens);
  await context.gate.revoke({ connector, application, accessToken, refreshToken, providerUserId, onRenewed, signal });
  return true;
}

// A connection is ended because somebody wants it to; of a link that came to nothing whose tokens nobody knows, any other may be the sibling.
async function belongsToAnother(
  context: CustodyContext,
  row: DeregistrationRow,
  noted: Deregistration,
  learned: string | null,
): Promise<boolean> {
  if (learned === null && row.account !== null) return false;
  return isConsentInUse(context, noted, learned);
}

async function settle(context: CustodyContext, row: DeregistrationRow, cleanUpProvider: ProviderCleanup | undefined): Promise<void> {
  let outcome = 'revoked';
  const held: Held = { accessToken: row.access_token };
  try {
    if (!(await revokeAtProvider(context, row, held, cleanUpProvider))) outcome = 'in_use';
  } catch (error) {
    const code = errorCode(error);
    // A refused token is dead already, and a provider without an application here cannot be asked.
    const isOver = code === 'provider_consent_revoked' || code === 'provider_token_expired' || code === 'provider_not_configured';
    if (!isOver && row.attempts + 1 < attemptsMax) {
      const delayMs = exponentialDelayMs(row.attempts, firstDelayMs, delayMaxMs);
      await context.database.sql`
        UPDATE deregistrations SET attempts = attempts + 1, last_error_code = ${code}, due_at = ${new Date(context.clock.now().getTime() + delayMs).toISOString()}
        WHERE connection_id = ${row.connection_id} AND access_token = ${held.accessToken}`;
      context.metrics.count('deregistrations_total', { provider: row.provider, outcome: 'postponed' });
      return;
    }
    outcome = isOver ? 'dead_already' : 'given_up';
    context.logger.warn({ provider: row.provider, connection_id: row.connection_id, outcome, error }, 'deregistration.not_revoked');
  }
  // A paused connection may have been linked again and ended meanwhile, or a refresh brought a newer pair: that one waits for its own turn.
  await context.database.sql`DELETE FROM deregistrations WHERE connection_id = ${row.connection_id} AND access_token = ${held.accessToken}`;
  context.metrics.count('deregistrations_total', { provider: row.provider, outcome });
}

/** The one that has waited longest, ours for a minute: longer than its calls to the provider may take. */
async function claimDue({ database, clock }: CustodyContext): Promise<DeregistrationRow | undefined> {
  const now = clock.now();
  const [row] = await database.sql<DeregistrationRow[]>`
    UPDATE deregistrations SET due_at = ${new Date(now.getTime() + claimMs).toISOString()}
    WHERE connection_id = (
      SELECT connection_id FROM deregistrations WHERE due_at <= ${now.toISOString()} ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING *`;
  return row;
}

/**
 * Revokes at the providers what is gone here, unless another connection lives by the same consent, and deletes the tokens that were
 * kept for it. Failures are tried again later, twelve times over most of a day, and block nothing. Several processes may run it at once. Gives how
 * many it looked at.
 */
export async function processDeregistrations(
  context: CustodyContext,
  options: { readonly limit: number; readonly signal: AbortSignal; readonly cleanUpProvider?: ProviderCleanup },
): Promise<number> {
  let looked = 0;
  for (; looked < options.limit && !options.signal.aborted; looked++) {
    const row = await claimDue(context);
    if (row === undefined) break;
    await settle(context, row, options.cleanUpProvider);
  }
  return looked;
}
