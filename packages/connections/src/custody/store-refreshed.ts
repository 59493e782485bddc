import { and, eq, sql } from 'drizzle-orm';
import { run } from '@pulsewire/database';
import { exponentialDelayMs, sleep } from '@pulsewire/kernel';
import type { TokenSet } from '@pulsewire/providers';
import type { CustodyContext } from '../context/context.ts';
import { tokenContext } from '../model/seal-contexts.ts';
import { connectionTokens, deregistrations } from '../model/tables.ts';
import type { TokenRow } from './token-row.ts';

const attemptsMax = 6;
/** The lease and the failures of the refreshes before. */
const settled = { leaseUntil: null, refreshSentAt: null, unclearSince: null, failures: 0, refusals: 0, nextRefreshAt: null };

/**
 * Stores the tokens of a refresh before anyone uses them. The condition is the refreshed version, not the lease: while no newer tokens are
 * stored, these are the provider's latest, even when the response comes after the lease has ended. Returns false when newer ones are
 * stored. Reattempts for some seconds: the provider has rotated, so losing these tokens loses the connection. When the connection was
 * deregistered in the meantime, the queued deregistration gets the tokens: the provider might reject a revocation with the old ones.
 */
export async function storeRefreshed(context: CustodyContext, row: TokenRow, tokens: TokenSet): Promise<boolean> {
  const { cipher, database } = context;
  const { connectionId, tokenVersion } = connectionTokens;
  const bound = tokenContext(row.connectionId);
  const accessToken = cipher.seal(tokens.accessToken, bound);
  // Providers that do not rotate send no new refresh token: the old one stays valid.
  const refreshToken = tokens.refreshToken === null ? row.refreshToken : cipher.seal(tokens.refreshToken, bound);
  const issuedAt = context.clock.now();
  for (let attempts = 1; ; attempts++) {
    try {
      const { count } = await run(
        database.orm
          .update(connectionTokens)
          .set({ ...settled, accessToken, refreshToken, issuedAt, expiresAt: tokens.expiresAt, tokenVersion: sql`${tokenVersion} + 1` })
          .where(and(eq(connectionId, row.connectionId), eq(tokenVersion, row.version))),
      );
      if (count > 0) return true;
      const isQueued = and(eq(deregistrations.connectionId, row.connectionId), eq(deregistrations.accessToken, row.accessToken));
      await run(database.orm.update(deregistrations).set({ accessToken, refreshToken }).where(isQueued));
      return false;
    } catch (error) {
      if (attempts >= attemptsMax) throw error;
      context.logger.warn({ connectionId: row.connectionId, attempts, error }, 'token.store_failed');
      await sleep(exponentialDelayMs(attempts - 1, 200, 3_000));
    }
  }
}
