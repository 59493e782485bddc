import { createHash, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { AppError, randomBase62, type Clock } from '@pulsewire/kernel';
import { run, type Executor } from '@pulsewire/database';
import { toDate } from '../rows.ts';
import { apiKeys } from '../tables.ts';
import type { Team } from './team.ts';

/** A key as it is listed: never the key itself, which is not stored. */
export interface ApiKey {
  readonly keyId: string;
  readonly teamId: string;
  readonly label: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

// All but the hash.
const shownColumns = {
  keyId: apiKeys.keyId,
  teamId: apiKeys.teamId,
  label: apiKeys.label,
  createdAt: apiKeys.createdAt,
  revokedAt: apiKeys.revokedAt,
};

const randomCharacters = 40;
// Enough for any key of ours; keeps a megabyte of header from being hashed.
const keyLengthMax = 200;
const givenKeyLengthMin = 16;

// A plain hash will do: a key holds 238 random bits, there is no dictionary to try.
function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/**
 * Makes a key for a team and gives it once: `pk_` for production, `sk_` for a sandbox team, then 40 base62 characters (contract 2.5).
 * `key` takes a key that was made elsewhere. Throws AppError `api_key_weak` for a given key that is too short.
 */
export async function createApiKey(
  { orm }: Executor,
  clock: Clock,
  options: { readonly team: Team; readonly label: string; readonly key?: string },
): Promise<{ readonly key: string; readonly apiKey: ApiKey }> {
  const { team, label } = options;
  const key = options.key ?? `${team.isSandbox ? 'sk_' : 'pk_'}${randomBase62(randomCharacters)}`;
  if (key.length < givenKeyLengthMin || key.length > keyLengthMax) {
    throw new AppError({ code: 'api_key_weak', kind: 'invalid', message: 'A given API key must have 16 to 200 characters' });
  }
  const values = { keyId: randomUUID(), teamId: team.teamId, keyHash: hashKey(key), label, createdAt: clock.now() };
  const [apiKey] = await run(orm.insert(apiKeys).values(values).returning(shownColumns));
  return { key, apiKey: apiKey as ApiKey };
}

/** The team that a key belongs to; null when the key is unknown or revoked. */
export async function authenticateKey({ sql }: Executor, key: string): Promise<Team | null> {
  if (key.length > keyLengthMax) return null;
  // By hand: every request asks this, and building it with drizzle costs more than asking.
  const [row] = await sql<(Omit<Team, 'createdAt'> & { readonly createdAt: string })[]>`
    SELECT t.team_id AS "teamId", t.name, t.is_sandbox AS "isSandbox", t.push_historical_data AS "pushHistoricalData",
      t.provider_raw_data AS "providerRawData", t.reject_duplicate_connection AS "rejectDuplicateConnection",
      t.contract_date AS "contractDate", t.bulk_operations AS "bulkOperations", t.history_days AS "historyDays",
      t.created_at AS "createdAt"
    FROM api_keys k JOIN teams t USING (team_id) WHERE k.key_hash = ${hashKey(key)} AND k.revoked_at IS NULL`;
  return row ? { ...row, createdAt: toDate(row.createdAt) } : null;
}

/** The team's keys, oldest first, revoked ones too; at most 1,000. */
export async function listApiKeys({ orm }: Executor, teamId: string): Promise<readonly ApiKey[]> {
  return run(orm.select(shownColumns).from(apiKeys).where(eq(apiKeys.teamId, teamId)).orderBy(apiKeys.createdAt).limit(1000));
}

/** Revokes a key at once; a repeat changes nothing. Throws AppError `api_key_not_found`. */
export async function revokeApiKey({ sql }: Executor, clock: Clock, teamId: string, keyId: string): Promise<void> {
  const rows = await sql`
    UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${clock.now().toISOString()}::timestamptz)
    WHERE team_id = ${teamId} AND key_id = ${keyId} RETURNING key_id`;
  if (rows.length === 0) throw new AppError({ code: 'api_key_not_found', kind: 'not_found', message: 'No such API key' });
}
