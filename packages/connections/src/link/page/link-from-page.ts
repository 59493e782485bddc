import type { Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import type { LinkContext } from '../../context/context.ts';
import { connectDemoInTx } from '../../demo/connect-demo.ts';
import type { Connection } from '../../model/connection.ts';
import { findTeam } from '../../teams/team.ts';
import { linkManuallyInTx } from '../connect/link-manually.ts';
import { attemptLink, type LinkAttempt } from '../session/attempt-link.ts';
import { consumeSession } from '../session/consume-session.ts';
import { linkError } from '../session/link-error.ts';
import { withLinkLock } from '../session/link-lock.ts';
import type { LinkOutcome, LinkSuccess } from '../session/link-outcome.ts';
import { assertPinAllows, type LinkSession } from '../session/session.ts';

type Connect = (tx: Tx, emit: Emit, session: LinkSession) => Promise<Connection | null>;

// The connection and the consumed token commit together, as with every other link.
async function linkAtOnce(context: LinkContext, attempt: LinkAttempt, connect: Connect): Promise<LinkOutcome> {
  const { outcome } = await attemptLink(context, attempt, (found) => {
    assertPinAllows(found, attempt.provider);
    return withLinkLock(context, found, (lock) =>
      withEvents(context.database, async (tx, emit): Promise<LinkSuccess> => {
        const connection = await connect(tx, emit, lock.session);
        if (connection === null) throw linkError('duplicate_connection', 'This user has this connection already');
        await consumeSession(tx, context, lock, attempt.provider);
        const { connectionId, externalUserId } = connection;
        return { state: 'success', connectionId, externalUserId, redirectUrl: lock.session.redirectUrl };
      }),
    );
  });
  return outcome;
}

/** Connects the session's user to made-up data, as `connectDemo` does with a key. A refusal is an outcome; AppError `link_busy`. */
export function linkDemo(context: LinkContext, attempt: LinkAttempt): Promise<LinkOutcome> {
  return linkAtOnce(context, attempt, async (tx, emit, { teamId, userId }) => {
    const team = await findTeam(tx, teamId);
    if (!team?.isSandbox) throw linkError('invalid_token', 'Demo connections are for sandbox teams only');
    return connectDemoInTx(context, tx, emit, { teamId, userId, provider: attempt.provider, traceId: attempt.traceId });
  });
}

/** Connects the session's user to a source that asks nobody for consent, under the name that the person gave; as `linkManually` does with a key. */
export function linkSource(context: LinkContext, attempt: LinkAttempt & { readonly name: string }): Promise<LinkOutcome> {
  const { provider, name: providerUserId, traceId } = attempt;
  return linkAtOnce(context, attempt, (tx, emit, { teamId, userId }) =>
    linkManuallyInTx(context, tx, emit, { teamId, userId, provider, providerUserId, traceId }),
  );
}
