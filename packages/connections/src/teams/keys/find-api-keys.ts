import { run, type Executor } from '@pulsewire/database';
import { and, eq } from 'drizzle-orm';
import { apiKeys } from '../../model/tables.ts';
import { hashKey, keyColumns, keyNotFound, type ApiKey } from './api-key.ts';
import { apiKeyLengthMax } from './key-form.ts';
import { findTeam, type Team } from '../team.ts';

/** The team's keys, oldest first, including revoked ones; at most 1,000. */
export async function listApiKeys({ orm }: Executor, teamId: string): Promise<readonly ApiKey[]> {
  return (await run(
    orm.select(keyColumns).from(apiKeys).where(eq(apiKeys.teamId, teamId)).orderBy(apiKeys.createdAt).limit(1000),
  )) as readonly ApiKey[];
}

/** One key of the team. Throws AppError `api_key_not_found`. */
export async function getApiKey({ orm }: Executor, teamId: string, keyId: string): Promise<ApiKey> {
  const [row] = await run(
    orm
      .select(keyColumns)
      .from(apiKeys)
      .where(and(eq(apiKeys.teamId, teamId), eq(apiKeys.keyId, keyId))),
  );
  if (!row) throw keyNotFound();
  return row;
}

/** The key with this text, even if revoked; null when unknown. For operators who have the key. */
export async function findApiKey({ orm }: Executor, key: string): Promise<ApiKey | null> {
  if (key.length > apiKeyLengthMax) return null;
  const [row] = await run(
    orm
      .select(keyColumns)
      .from(apiKeys)
      .where(eq(apiKeys.keyHash, hashKey(key))),
  );
  return row ?? null;
}

/** The team of the oldest key with this label; null when there is none. For operators. */
export async function findTeamByKeyLabel(executor: Executor, label: string): Promise<Team | null> {
  const [row] = await run(
    executor.orm
      .select({ teamId: apiKeys.teamId })
      .from(apiKeys)
      .where(eq(apiKeys.label, label))
      .orderBy(apiKeys.createdAt, apiKeys.keyId)
      .limit(1),
  );
  return row ? findTeam(executor, row.teamId) : null;
}
