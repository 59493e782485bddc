import { run, type Executor, type Tx } from '@pulsewire/database';
import type { Clock } from '@pulsewire/kernel';
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { apiKeys } from '../../model/tables.ts';
import { keyColumns, keyNotFound, type ApiKey, type ApiKeyLimits } from './api-key.ts';
import { createApiKey, type CreatedApiKey } from './create-api-key.ts';
import type { Team } from '../team.ts';

/**
 * Changes the given fields. Throws AppError `api_key_not_found`, also for a key that was revoked or has expired: a later end would revive it.
 */
export async function updateApiKey(
  { orm }: Executor,
  clock: Clock,
  teamId: string,
  keyId: string,
  changes: ApiKeyLimits & { readonly label?: string },
): Promise<ApiKey> {
  const { label, scopes, expiresAt, allowedAddresses, rateLimit } = changes;
  const [row] = await run(
    orm
      .update(apiKeys)
      // An UPDATE must set something, also when nothing changes.
      .set({
        keyId,
        label,
        expiresAt,
        scopes: scopes && [...scopes],
        allowedAddresses: allowedAddresses && [...allowedAddresses],
        rateLimit,
      })
      .where(
        and(
          eq(apiKeys.teamId, teamId),
          eq(apiKeys.keyId, keyId),
          isNull(apiKeys.revokedAt),
          or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, clock.now())),
        ),
      )
      .returning(keyColumns),
  );
  if (!row) throw keyNotFound();
  return row;
}

/**
 * Creates a key with the settings of another key of the team, which expires now or `overlapSeconds` later, in the same transaction. Throws
 * AppError `api_key_not_found`, also for a key that was revoked or has expired.
 */
export async function rotateApiKey(tx: Tx, clock: Clock, team: Team, keyId: string, overlapSeconds = 0): Promise<CreatedApiKey> {
  const now = clock.now();
  const end = new Date(now.getTime() + overlapSeconds * 1000).toISOString();
  const [old] = await tx.sql<
    { label: string; scopes: ApiKey['scopes']; allowed_addresses: string[] | null; expires_at: string | null; rate_limit: number | null }[]
  >`
    WITH old AS (
      SELECT key_id, label, scopes, allowed_addresses, expires_at, rate_limit FROM api_keys
      WHERE team_id = ${team.teamId} AND key_id = ${keyId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now.toISOString()})
      FOR UPDATE)
    UPDATE api_keys k SET
      revoked_at = CASE WHEN ${overlapSeconds} = 0 THEN ${now.toISOString()}::timestamptz END,
      expires_at = least(k.expires_at, ${end}::timestamptz)
    FROM old WHERE k.key_id = old.key_id RETURNING old.label, old.scopes, old.allowed_addresses, old.expires_at, old.rate_limit`;
  if (!old) throw keyNotFound();
  const { label, scopes, allowed_addresses: allowedAddresses, expires_at: expiresAt, rate_limit: rateLimit } = old;
  return createApiKey(tx, clock, {
    team,
    label,
    scopes,
    allowedAddresses,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    rateLimit,
  });
}

/** Revokes a key at once; a repeat changes nothing. Throws AppError `api_key_not_found`. */
export async function revokeApiKey({ orm }: Executor, clock: Clock, teamId: string, keyId: string): Promise<void> {
  const rows = await run(
    orm
      .update(apiKeys)
      .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${clock.now().toISOString()}::timestamptz)` })
      .where(and(eq(apiKeys.teamId, teamId), eq(apiKeys.keyId, keyId)))
      .returning({ keyId: apiKeys.keyId }),
  );
  if (rows.length === 0) throw keyNotFound();
}
