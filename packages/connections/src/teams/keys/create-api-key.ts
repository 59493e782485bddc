import { randomUUID } from 'node:crypto';
import { type Database, run, takeLock, type Tx } from '@pulsewire/database';
import { AppError, randomBase62, type Clock } from '@pulsewire/kernel';
import { and, count, eq, isNull } from 'drizzle-orm';
import { apiKeys } from '../../model/tables.ts';
import { hashKey, keyColumns, type ApiKey, type ApiKeyLimits } from './api-key.ts';
import { apiKeyForm } from './key-form.ts';
import type { Team } from '../team.ts';

export interface NewApiKey extends ApiKeyLimits {
  readonly team: Team;
  readonly label: string;
  /** A key that was generated elsewhere. */
  readonly key?: string;
}

export interface CreatedApiKey {
  /** Shown once: only its hash is stored. */
  readonly key: string;
  readonly apiKey: ApiKey;
}

const randomCharacters = 40;
const keysMax = 200;

// Under a lock of the team: otherwise concurrent requests would each count one key too few.
async function assertKeyLimit({ sql, orm }: Tx, teamId: string): Promise<void> {
  await takeLock({ sql }, 'named', `api_keys:${teamId}`);
  const [active] = await run(
    orm
      .select({ keys: count() })
      .from(apiKeys)
      .where(and(eq(apiKeys.teamId, teamId), isNull(apiKeys.revokedAt))),
  );
  if ((active?.keys ?? 0) < keysMax) return;
  throw new AppError({ code: 'api_keys_exhausted', kind: 'conflict', message: `A team may have ${keysMax} API keys; revoke one first` });
}

/**
 * Creates a key for a team and returns it once: `pk_` for production, `sk_` for a sandbox team, then 40 base62 characters. Throws AppError
 * `api_key_weak` for a given key that does not look random, `api_keys_exhausted` when the team has 200 that are not revoked.
 */
export async function createApiKey(executor: Database | Tx, clock: Clock, options: NewApiKey): Promise<CreatedApiKey> {
  const { team, label, scopes = null, expiresAt = null, allowedAddresses = null, rateLimit = null } = options;
  const key = options.key ?? `${team.isSandbox ? 'sk_' : 'pk_'}${randomBase62(randomCharacters)}`;
  if (!apiKeyForm.has(key))
    throw new AppError({ code: 'api_key_weak', kind: 'invalid', message: `An API key must have ${apiKeyForm.text}` });
  const values = {
    keyId: randomUUID(),
    teamId: team.teamId,
    keyHash: hashKey(key),
    label,
    createdAt: clock.now(),
    scopes: scopes && [...scopes],
    expiresAt,
    allowedAddresses: allowedAddresses && [...allowedAddresses],
    rateLimit,
  };
  const insert = async (tx: Tx) => {
    await assertKeyLimit(tx, team.teamId);
    return run(tx.orm.insert(apiKeys).values(values).returning(keyColumns));
  };
  const [apiKey] = await ('transaction' in executor ? executor.transaction(insert) : insert(executor));
  return { key, apiKey: apiKey as ApiKey };
}
