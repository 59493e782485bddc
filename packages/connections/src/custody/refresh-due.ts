import type { CustodyContext } from '../context/context.ts';
import { getAccessToken } from './get-access-token.ts';
import { isRetryDue } from './retry-due.ts';

/**
 * Refreshes tokens that expire within `withinMs`, soonest first, so that rarely pulled connections keep their access. Returns how many it
 * looked at; failures are handled and logged where they occur.
 */
export async function refreshDueTokens(
  context: CustodyContext,
  options: { readonly withinMs: number; readonly limit: number; readonly signal: AbortSignal },
): Promise<number> {
  const before = new Date(context.clock.now().getTime() + options.withinMs).toISOString();
  const { sql } = context.database;
  const rows = await sql<{ connection_id: string }[]>`
    SELECT t.connection_id FROM connection_tokens t JOIN connections c USING (connection_id)
    WHERE t.refresh_token IS NOT NULL AND t.expires_at <= ${before} AND c.status = 'connected'
      AND ${isRetryDue(sql)}
    ORDER BY t.expires_at LIMIT ${options.limit}`;
  for (const { connection_id: connectionId } of rows) {
    if (options.signal.aborted) break;
    await getAccessToken(context, connectionId, { signal: options.signal }).catch((error: unknown) => {
      context.logger.debug({ connectionId, error }, 'token.renewal_postponed');
    });
  }
  return rows.length;
}
