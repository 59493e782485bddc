import type { Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import type { LinkContext } from '../../context/context.ts';
import { connectDemoInTx } from '../../demo/connect-demo.ts';
import { linkManuallyInTx } from '../connect/link-manually.ts';
import { attemptLink, type LinkAttempt } from '../session/attempt-link.ts';
import { consumeSession } from '../session/consume-session.ts';
import { linkError } from '../session/link-error.ts';
import { withLinkLock } from '../session/link-lock.ts';
import type { LinkOutcome, LinkSuccess } from '../session/link-outcome.ts';
import { assertPinAllows, type LinkSession } from '../session/session.ts';
import type { Connection } from '../../model/connection.ts';
import { findTeam } from '../../teams/team.ts';

type Connect = (tx: Tx, emit: Emit, session: LinkSession) => Promise<Connection | null>;

// The connection and the consumed token are committed together, as for every other link.
async function linkWithoutSignIn(context: LinkContext, attempt: LinkAttempt, connect: Connect): Promise<LinkOutcome> {
  const { outcome } = await attemptLink(context, attempt, (found) => {
    assertPinAllows(found, attempt.provider);
    return withLinkLock(context, found, (lock) =>
      withEvents(context.database, async (tx, emit): Promise<LinkSuccess> => {
        const connection = await connect(tx, emit, lock.session);
        if (connection === null) throw linkError('duplicate_connection', 'This user already has this connection');
        await consumeSession(tx, context, lock, attempt.provider);
        const { connectionId, externalUserId } = connection;
        return { state: 'success', connectionId, externalUserId, redirectUrl: lock.session.redirectUrl };
      }),
    );
  });
  return outcome;
}

/** Connects the session's user to generated data, like `connectDemo` with a key. A rejection is an outcome. Throws AppError `link_busy`. */
export function linkDemo(context: LinkContext, attempt: LinkAttempt): Promise<LinkOutcome> {
  return linkWithoutSignIn(context, attempt, async (tx, emit, { teamId, userId }) => {
    const team = await findTeam(tx, teamId);
    if (!team?.isSandbox) throw linkError('invalid_token', 'Demo connections are for sandbox teams only');
    return connectDemoInTx(context, tx, emit, { teamId, userId, provider: attempt.provider, traceId: attempt.traceId });
  });
}

/** Connects the session's user to a manual source under the given name, like `linkManually` with a key. */
export function linkSource(context: LinkContext, attempt: LinkAttempt & { readonly name: string }): Promise<LinkOutcome> {
  const { provider, name: providerUserId, traceId } = attempt;
  return linkWithoutSignIn(context, attempt, (tx, emit, { teamId, userId }) =>
    linkManuallyInTx(context, tx, emit, { teamId, userId, provider, providerUserId, traceId }),
  );
}
