import { exponentialDelayMs, sleep } from '@pulsewire/kernel';
import type { TokenSet } from '@pulsewire/providers';
import type { CustodyContext } from '../context/context.ts';
import { tokenContext } from '../model/seal-contexts.ts';
import type { TokenRow } from './token-row.ts';

const triesMax = 6;

/**
 * Stores the pair that a refresh gave, before anybody uses it. The guard is the version that was refreshed, not the lease: as long as
 * nobody stored a newer pair, this one is the provider's latest, even when the holder woke up late. Gives false when somebody did.
 * The database is tried for some seconds: once the provider has rotated, losing this pair loses the connection. When the connection was
 * deregistered meanwhile, the note of it gets the pair: with the old one the provider might not take the consent back.
 */
export async function storeRefreshed(context: CustodyContext, row: TokenRow, tokens: TokenSet): Promise<boolean> {
  const { cipher, database } = context;
  const bound = tokenContext(row.connectionId);
  const accessToken = cipher.seal(tokens.accessToken, bound);
  // Providers that do not rotate send no new refresh token: the old one goes on.
  const refreshToken = tokens.refreshToken === null ? row.refreshToken : cipher.seal(tokens.refreshToken, bound);
  const issuedAt = context.clock.now().toISOString();
  for (let tries = 1; ; tries++) {
    try {
      const rows = await database.sql`
        UPDATE connection_tokens SET access_token = ${accessToken}, refresh_token = ${refreshToken}, issued_at = ${issuedAt},
          expires_at = ${tokens.expiresAt?.toISOString() ?? null}, token_version = token_version + 1, lease_until = NULL, refresh_sent_at = NULL, unclear_since = NULL, failures = 0, refusals = 0, next_refresh_at = NULL
        WHERE connection_id = ${row.connectionId} AND token_version = ${row.version.toString()}::bigint RETURNING 1 AS updated`;
      if (rows.length > 0) return true;
      await database.sql`
        UPDATE deregistrations SET access_token = ${accessToken}, refresh_token = ${refreshToken}
        WHERE connection_id = ${row.connectionId} AND access_token = ${row.accessToken}`;
      return false;
    } catch (error) {
      if (tries >= triesMax) throw error;
      context.logger.warn({ connection_id: row.connectionId, tries, error }, 'token.store_failed');
      await sleep(exponentialDelayMs(tries - 1, 200, 3_000));
    }
  }
}
