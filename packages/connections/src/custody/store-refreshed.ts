import { exponentialDelayMs, sleep } from '@pulsewire/kernel';
import type { TokenSet } from '@pulsewire/providers';
import type { CustodyContext } from '../context/context.ts';
import { tokenContext } from '../model/seal-contexts.ts';
import type { TokenRow } from './token-row.ts';

const attemptsMax = 6;

/**
 * Stores the tokens of a refresh before anyone uses them. The condition is the refreshed version, not the lease: while no newer tokens are
 * stored, these are the provider's latest, even when the response comes after the lease has ended. Returns false when newer ones are
 * stored. Reattempts for some seconds: the provider has rotated, so losing these tokens loses the connection. When the connection was
 * deregistered in the meantime, the queued deregistration gets the tokens: the provider might reject a revocation with the old ones.
 */
export async function storeRefreshed(context: CustodyContext, row: TokenRow, tokens: TokenSet): Promise<boolean> {
  const { cipher, database } = context;
  const bound = tokenContext(row.connectionId);
  const accessToken = cipher.seal(tokens.accessToken, bound);
  // Providers that do not rotate send no new refresh token: the old one stays valid.
  const refreshToken = tokens.refreshToken === null ? row.refreshToken : cipher.seal(tokens.refreshToken, bound);
  const issuedAt = context.clock.now().toISOString();
  for (let attempts = 1; ; attempts++) {
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
      if (attempts >= attemptsMax) throw error;
      context.logger.warn({ connectionId: row.connectionId, attempts, error }, 'token.store_failed');
      await sleep(exponentialDelayMs(attempts - 1, 200, 3_000));
    }
  }
}
