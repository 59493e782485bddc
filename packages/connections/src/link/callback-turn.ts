import { AppError, sleep } from '@pulsewire/kernel';
import type { LinkContext } from '../context.ts';
import { linkError } from './link-error.ts';
import { toLinkSession, type LinkSession, type LinkSessionRow } from './session.ts';

/** Longer than exchange and account call together may take; a crashed process holds up the session no longer than this. */
const turnMs = 45_000;
const pollMs = 50;

export interface CallbackTurn {
  readonly session: LinkSession;
  readonly epoch: string;
}

/**
 * Waits until no other callback of the session is at work, and takes the turn: a code can be exchanged once only, so two callbacks at the
 * same moment must not both try. Throws a link error `token_consumed` when the other one made the connection.
 */
export async function takeCallbackTurn(context: LinkContext, session: LinkSession, signal: AbortSignal): Promise<CallbackTurn> {
  const { sql } = context.database;
  for (;;) {
    const [row] = await sql<(LinkSessionRow & { callback_epoch: string })[]>`
      UPDATE link_sessions SET callback_epoch = callback_epoch + 1, callback_until = clock_timestamp() + make_interval(secs => ${turnMs / 1000})
      WHERE session_id = ${session.sessionId} AND team_id = ${session.teamId} AND state <> 'success'
        AND (callback_until IS NULL OR callback_until < clock_timestamp())
      RETURNING *`;
    if (row) return { session: toLinkSession(row), epoch: row.callback_epoch };
    const [found] = await sql<{ state: string }[]>`SELECT state FROM link_sessions WHERE session_id = ${session.sessionId}`;
    if (!found) throw linkError('invalid_token', 'The link session of this token is gone');
    if (found.state === 'success') throw linkError('token_consumed', 'This link token has made its connection already');
    await sleep(pollMs, signal);
    if (signal.aborted)
      throw new AppError({ code: 'link_busy', kind: 'unavailable', message: 'Another callback of this link is at work', retryable: true });
  }
}

/** Lets the next callback try, after this one failed. A turn that was lost meanwhile is left alone. */
export async function endCallbackTurn(context: LinkContext, turn: CallbackTurn): Promise<void> {
  await context.database.sql`
    UPDATE link_sessions SET callback_until = NULL WHERE session_id = ${turn.session.sessionId} AND callback_epoch = ${turn.epoch}`;
}
