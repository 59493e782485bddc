import { type Executor, plainArray } from '@pulsewire/database';
import type { Clock } from '@pulsewire/kernel';
import type { ApiKeyScope } from '../../model/api-key-scopes.ts';
import { toDate, toDateOrNull } from '../../model/rows.ts';
import { hashKey } from './api-key.ts';
import { apiKeyLengthMax } from './key-form.ts';
import type { Team } from '../team.ts';

/** The calling team and the key that it used. */
export interface AuthenticatedKey {
  readonly team: Team;
  readonly keyId: string;
  /** Null: all scopes. */
  readonly scopes: readonly ApiKeyScope[] | null;
  /** Requests per second; null: the installation's default. */
  readonly rateLimit: number | null;
  readonly expiresAt: Date | null;
  /** Networks in CIDR notation; null: any. */
  readonly allowedAddresses: readonly string[] | null;
  /** Whether the key may be used from the caller's address. */
  readonly isAddressAllowed: boolean;
}

type KeyRow = Omit<Team, 'createdAt'> &
  Omit<AuthenticatedKey, 'team' | 'expiresAt'> & { readonly createdAt: string; readonly expiresAt: string | null };

/**
 * The team that a key belongs to; null when the key is unknown, expired or revoked, or its team deleted. `address` is the caller's; a key
 * with allowed addresses rejects null.
 */
export async function authenticateKey(
  { sql }: Executor,
  clock: Clock,
  key: string,
  address: string | null,
): Promise<AuthenticatedKey | null> {
  if (key.length > apiKeyLengthMax) return null;
  // Hand-written SQL: every request runs this, and building it with drizzle takes longer than running it.
  const [row] = await sql<KeyRow[]>`
    SELECT t.team_id AS "teamId", t.name, t.is_sandbox AS "isSandbox", t.push_historical_data AS "pushHistoricalData",
      t.provider_raw_data AS "providerRawData", t.reject_duplicate_connection AS "rejectDuplicateConnection",
      t.contract_date AS "contractDate", t.bulk_operations AS "bulkOperations", t.history_days AS "historyDays",
      t.redirect_schemes AS "redirectSchemes", t.source_order AS "sourceOrder", t.confirm_links AS "confirmLinks",
      t.partial_results AS "partialResults", t.minor_ordering AS "minorOrdering", t.human_review AS "humanReview",
      t.booking_before_requisition AS "bookingBeforeRequisition",
      t.refuse_personal_references AS "refusePersonalReferences",
      t.created_at AS "createdAt", k.key_id AS "keyId", k.scopes, k.rate_limit AS "rateLimit", k.expires_at AS "expiresAt",
      k.allowed_addresses::text[] AS "allowedAddresses",
      k.allowed_addresses IS NULL OR coalesce(${address}::inet <<= ANY(k.allowed_addresses), false) AS "isAddressAllowed"
    FROM api_keys k JOIN teams t USING (team_id)
    WHERE k.key_hash = ${hashKey(key)} AND k.revoked_at IS NULL AND t.deleted_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${clock.now().toISOString()})`;
  if (!row) return null;
  const { keyId, scopes, rateLimit, isAddressAllowed, expiresAt, allowedAddresses, ...team } = row;
  const limits = { scopes, rateLimit, expiresAt: toDateOrNull(expiresAt), allowedAddresses };
  return { team: { ...team, createdAt: toDate(team.createdAt) }, keyId, ...limits, isAddressAllowed };
}

/** Records when keys were last used, in one statement. An earlier time than the recorded one changes nothing. */
export async function recordKeyUses({ sql }: Executor, uses: ReadonlyMap<string, Date>): Promise<void> {
  if (uses.size === 0) return;
  // In key order, so that processes that record the same keys cannot deadlock.
  const sorted = [...uses].sort(([a], [b]) => (a < b ? -1 : 1));
  await sql`
    WITH used AS (
      SELECT k.key_id, u.at FROM api_keys k
      JOIN unnest(${plainArray(sorted.map(([keyId]) => keyId))}::uuid[], ${plainArray(sorted.map(([, at]) => at.toISOString()))}::timestamptz[]) AS u(key_id, at)
        USING (key_id)
      WHERE k.last_used_at IS NULL OR k.last_used_at < u.at ORDER BY k.key_id FOR UPDATE OF k)
    UPDATE api_keys k SET last_used_at = used.at FROM used WHERE k.key_id = used.key_id`;
}
