import { createHash, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { AppError, randomBase62, type Clock } from '@pulsewire/kernel';
import { run, type Executor, type Tx } from '@pulsewire/database';
import { toDate } from '../rows.ts';
import { apiKeys } from '../tables.ts';
import { apiKeyForm, apiKeyLengthMax } from './api-key-form.ts';
import { findTeam, type Team } from './team.ts';

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

function keyNotFound(): AppError {
  return new AppError({ code: 'api_key_not_found', kind: 'not_found', message: 'No such API key' });
}

// A plain hash will do: a key holds 238 random bits, there is no dictionary to try.
function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/**
 * Makes a key for a team and gives it once: `pk_` for production, `sk_` for a sandbox team, then 40 base62 characters (contract 2.5).
 * `key` takes a key that was made elsewhere. Throws AppError `api_key_weak` for a given key without the form of a random one.
 */
export async function createApiKey(
  { orm }: Executor,
  clock: Clock,
  options: { readonly team: Team; readonly label: string; readonly key?: string },
): Promise<{ readonly key: string; readonly apiKey: ApiKey }> {
  const { team, label } = options;
  const key = options.key ?? `${team.isSandbox ? 'sk_' : 'pk_'}${randomBase62(randomCharacters)}`;
  if (!apiKeyForm.has(key))
    throw new AppError({ code: 'api_key_weak', kind: 'invalid', message: `An API key must have ${apiKeyForm.text}` });
  const values = { keyId: randomUUID(), teamId: team.teamId, keyHash: hashKey(key), label, createdAt: clock.now() };
  const [apiKey] = await run(orm.insert(apiKeys).values(values).returning(shownColumns));
  return { key, apiKey: apiKey as ApiKey };
}

/** The team that a key belongs to; null when the key is unknown or revoked. */
export async function authenticateKey({ sql }: Executor, key: string): Promise<Team | null> {
  if (key.length > apiKeyLengthMax) return null;
  // By hand: every request asks this, and building it with drizzle costs more than asking.
  const [row] = await sql<(Omit<Team, 'createdAt'> & { readonly createdAt: string })[]>`
    SELECT t.team_id AS "teamId", t.name, t.is_sandbox AS "isSandbox", t.push_historical_data AS "pushHistoricalData",
      t.provider_raw_data AS "providerRawData", t.reject_duplicate_connection AS "rejectDuplicateConnection",
      t.contract_date AS "contractDate", t.bulk_operations AS "bulkOperations", t.history_days AS "historyDays",
      t.redirect_schemes AS "redirectSchemes", t.created_at AS "createdAt"
    FROM api_keys k JOIN teams t USING (team_id) WHERE k.key_hash = ${hashKey(key)} AND k.revoked_at IS NULL`;
  return row ? { ...row, createdAt: toDate(row.createdAt) } : null;
}

/** A key by its text, also a revoked one; null when it is unknown. For operators who hold the key. */
export async function findApiKey({ orm }: Executor, key: string): Promise<ApiKey | null> {
  if (key.length > apiKeyLengthMax) return null;
  const [row] = await run(
    orm
      .select(shownColumns)
      .from(apiKeys)
      .where(eq(apiKeys.keyHash, hashKey(key))),
  );
  return row ?? null;
}

/** The team of the oldest key with this label; null when there is none. For operators. */
export async function findTeamByKeyLabel(executor: Executor, label: string): Promise<Team | null> {
  const { orm } = executor;
  const [row] = await run(
    orm.select({ teamId: apiKeys.teamId }).from(apiKeys).where(eq(apiKeys.label, label)).orderBy(apiKeys.createdAt, apiKeys.keyId).limit(1),
  );
  return row ? findTeam(executor, row.teamId) : null;
}

/** The team's keys, oldest first, revoked ones too; at most 1,000. */
export async function listApiKeys({ orm }: Executor, teamId: string): Promise<readonly ApiKey[]> {
  return run(orm.select(shownColumns).from(apiKeys).where(eq(apiKeys.teamId, teamId)).orderBy(apiKeys.createdAt).limit(1000));
}

/**
 * Makes a key with the label of another one of the team, which ends at once: both in one transaction. Throws AppError
 * `api_key_not_found`, also for a key that was revoked before.
 */
export async function rotateApiKey(
  tx: Tx,
  clock: Clock,
  team: Team,
  keyId: string,
): Promise<{ readonly key: string; readonly apiKey: ApiKey }> {
  const [old] = await tx.sql<{ label: string }[]>`
    UPDATE api_keys SET revoked_at = ${clock.now().toISOString()} WHERE team_id = ${team.teamId} AND key_id = ${keyId} AND revoked_at IS NULL
    RETURNING label`;
  if (!old) throw keyNotFound();
  return createApiKey(tx, clock, { team, label: old.label });
}

/** Revokes a key at once; a repeat changes nothing. Throws AppError `api_key_not_found`. */
export async function revokeApiKey({ sql }: Executor, clock: Clock, teamId: string, keyId: string): Promise<void> {
  const rows = await sql`
    UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${clock.now().toISOString()}::timestamptz)
    WHERE team_id = ${teamId} AND key_id = ${keyId} RETURNING key_id`;
  if (rows.length === 0) throw keyNotFound();
}
