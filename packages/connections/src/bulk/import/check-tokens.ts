import { byteaArray, plainArray, textArray } from '@pulsewire/database';
import { errorCode, isAppError } from '@pulsewire/kernel';
import type { RefreshOutcome, TokenSet } from '@pulsewire/providers';
import type { ImportContext } from '../operations/context.ts';
import { teamCredentialMissing } from '../operations/errors.ts';
import { connectorOf } from '../../context/find-connector.ts';
import { refreshTimeoutMs } from '../../custody/refresh-lease.ts';
import { itemContext } from '../../model/seal-contexts.ts';
import { findTeamApplication } from '../../teams/oauth-credentials.ts';

/** Requests at a time. */
const concurrency = 8;
/** Tokens that expire within this time are refreshed before the import too: they would be refreshed immediately after it. */
const expiresSoonMs = 5 * 60_000;

interface Candidate {
  readonly item: number;
  readonly team_id: string;
  readonly provider: string;
  readonly provider_user_id: string;
  readonly refresh_token: Buffer;
}

interface Checked {
  readonly item: number;
  readonly outcome: 'refreshed' | 'refused' | 'unclear';
  readonly tokens: TokenSet | null;
}

/**
 * Marks expired recipes among the next `batchMax` as being checked, so that no other process sends the same refresh token, which most
 * providers accept once. Recipes of unknown or deleted users are rejected without a request.
 */
async function claimExpired({ database, clock }: ImportContext, operationId: string, batchMax: number): Promise<readonly Candidate[]> {
  const before = new Date(clock.now().getTime() + expiresSoonMs).toISOString();
  const waiting = await database.sql`
    SELECT 1 FROM (
      SELECT refresh_token, check_sent_at, expires_at FROM bulk_items
      WHERE operation_id = ${operationId} AND outcome IS NULL ORDER BY item LIMIT ${batchMax}) next
    WHERE refresh_token IS NOT NULL AND check_sent_at IS NULL AND expires_at <= ${before}::timestamptz LIMIT 1`;
  if (waiting.length === 0) return [];
  return database.transaction(async ({ sql }) => {
    // Waits for a process that is marking others: whoever went on would import the rest unchecked. The next statement sees what that one marked.
    const [operation] = await sql`SELECT 1 FROM bulk_operations WHERE operation_id = ${operationId} AND status = 'in_progress' FOR UPDATE`;
    if (!operation) return [];
    return sql<Candidate[]>`
      WITH next AS MATERIALIZED (
        SELECT i.operation_id, i.item, i.user_id, i.refresh_token, i.expires_at, i.check_sent_at, o.team_id, o.provider
        FROM bulk_items i JOIN bulk_operations o USING (operation_id)
        WHERE i.operation_id = ${operationId} AND i.outcome IS NULL ORDER BY i.item LIMIT ${batchMax}),
      expired AS MATERIALIZED (
        SELECT n.operation_id, n.item, n.team_id, n.provider FROM next n
        WHERE n.refresh_token IS NOT NULL AND n.check_sent_at IS NULL AND n.expires_at <= ${before}::timestamptz
          AND EXISTS (SELECT 1 FROM users u WHERE u.user_id = n.user_id AND u.team_id = n.team_id AND u.deleted_at IS NULL)
        ORDER BY n.item LIMIT ${concurrency})
      UPDATE bulk_items i SET check_sent_at = clock_timestamp() FROM expired e
      WHERE i.operation_id = e.operation_id AND i.item = e.item AND i.outcome IS NULL AND i.check_sent_at IS NULL
      RETURNING i.item, e.team_id, e.provider, i.provider_user_id, i.refresh_token`;
  });
}

async function refresh(context: ImportContext, operationId: string, row: Candidate): Promise<RefreshOutcome> {
  try {
    const connector = connectorOf(context, row.provider);
    const application = await findTeamApplication(context.database, context.cipher, row.team_id, row.provider);
    if (application === null) throw teamCredentialMissing(row.provider);
    return await context.gate.refresh({
      connector,
      application,
      refreshToken: context.cipher.open(row.refresh_token, itemContext(operationId, row.item, 'refresh_token')),
      redirectUrl: null,
      providerUserId: row.provider_user_id,
      account: {},
      signal: AbortSignal.timeout(refreshTimeoutMs(connector)),
    });
  } catch (error) {
    return { outcome: 'unclear', retryable: !isAppError(error) || error.retryable, reason: errorCode(error) };
  }
}

async function check(context: ImportContext, operationId: string, row: Candidate): Promise<Checked> {
  const result = await refresh(context, operationId, row);
  const { item, provider } = row;
  if (result.outcome === 'refreshed') return { item, outcome: 'refreshed', tokens: result.tokens };
  if (result.outcome === 'revoked' || result.outcome === 'refused') return { item, outcome: 'refused', tokens: null };
  context.logger.info({ operationId, item, provider, reason: result.reason }, 'bulk.check_unclear');
  return { item, outcome: 'unclear', tokens: null };
}

async function saveChecks({ database, cipher }: ImportContext, operationId: string, checks: readonly Checked[]): Promise<void> {
  const seal = (token: string | null | undefined, item: number, column: 'access_token' | 'refresh_token') =>
    token == null ? null : cipher.seal(token, itemContext(operationId, item, column));
  const places = checks.map(({ item }) => item);
  await database.sql`
    UPDATE bulk_items i SET check_outcome = n.outcome, access_token = coalesce(n.access_token, i.access_token),
      refresh_token = coalesce(n.refresh_token, i.refresh_token),
      expires_at = CASE WHEN n.outcome = 'refreshed' THEN n.expires_at ELSE i.expires_at END
    FROM unnest(
      ${plainArray(places)}::int[], ${textArray(checks.map(({ outcome }) => outcome))}::text[],
      ${byteaArray(checks.map(({ item, tokens }) => seal(tokens?.accessToken, item, 'access_token')))}::bytea[],
      ${byteaArray(checks.map(({ item, tokens }) => seal(tokens?.refreshToken, item, 'refresh_token')))}::bytea[],
      ${textArray(checks.map(({ tokens }) => tokens?.expiresAt?.toISOString() ?? null))}::timestamptz[]
    ) AS n(item, outcome, access_token, refresh_token, expires_at)
    WHERE i.operation_id = ${operationId} AND i.item = n.item AND i.item BETWEEN ${Math.min(...places)} AND ${Math.max(...places)} AND i.outcome IS NULL`;
}

/**
 * Refreshes the expired tokens among the next `batchMax` recipes, before they are imported: tokens that the provider refuses, because they
 * are revoked or belong to another application, must not become connections. A recipe whose outcome is unclear or was lost is imported, and
 * its connection finds out. Returns early when the signal aborts.
 */
export async function checkTokens(context: ImportContext, operationId: string, batchMax: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const expired = await claimExpired(context, operationId, batchMax);
    if (expired.length === 0) return;
    await saveChecks(context, operationId, await Promise.all(expired.map((row) => check(context, operationId, row))));
  }
}
