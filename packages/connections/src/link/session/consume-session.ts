import { and, ne } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import type { LinkContext } from '../../context/context.ts';
import { linkSessions } from '../../model/tables.ts';
import { linkError } from './link-error.ts';
import { isLockedBy, type LinkLock } from './link-lock.ts';

/** Ends the session with its connection, or with the request for one. Throws a link error `token_consumed`. */
export async function consumeSession({ orm }: Tx, context: LinkContext, lock: LinkLock, provider: string): Promise<void> {
  const rows = await run(
    orm
      .update(linkSessions)
      .set({
        state: 'success',
        startedProvider: provider,
        consumedAt: context.clock.now(),
        callbackUntil: null,
        codeVerifier: null,
        mfaTicket: null,
        lastErrorType: null,
      })
      .where(and(isLockedBy(lock), ne(linkSessions.state, 'success')))
      .returning({ sessionId: linkSessions.sessionId }),
  );
  if (rows.length === 0) throw linkError('token_consumed', 'This link token has already created its connection');
}
