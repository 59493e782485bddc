import type { Tx } from '@pulsewire/database';
import type { LinkContext } from '../../context/context.ts';
import { linkError } from './link-error.ts';
import type { LinkLock } from './link-lock.ts';

/** Ends the session with its connection, or with the request for one. Throws a link error `token_consumed`. */
export async function consumeSession({ sql }: Tx, context: LinkContext, lock: LinkLock, provider: string): Promise<void> {
  const rows = await sql`
    UPDATE link_sessions SET state = 'success', started_provider = ${provider}, consumed_at = ${context.clock.now().toISOString()}, callback_until = NULL, code_verifier = NULL,
      mfa_ticket = NULL, last_error_type = NULL
    WHERE session_id = ${lock.session.sessionId} AND state <> 'success' AND callback_epoch = ${lock.epoch} RETURNING 1 AS updated`;
  if (rows.length === 0) throw linkError('token_consumed', 'This link token has made its connection already');
}
