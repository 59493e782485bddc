import { takeLock, type Tx } from '@pulsewire/database';
import { jsonEvent, withEvents } from '@pulsewire/eventlog';
import { AppError } from '@pulsewire/kernel';
import type { AdmissionOutcome } from '@pulsewire/providers';
import { connectionCreatedEvent } from '../../connection-status/events.ts';
import { putConnection } from '../../connections/put-connection.ts';
import { applicationOf } from '../../context/applications.ts';
import type { CustodyContext, LinkContext } from '../../context/context.ts';
import { connectorOf } from '../../context/find-connector.ts';
import { putTokens } from '../../custody/token-row.ts';
import { assertNoDuplicate } from '../connect/assert-no-duplicate.ts';
import { awaitProvider } from '../connect/provider-call.ts';
import { declineEmailLink, type PendingEmailLink, findEmailLink } from './email-links.ts';
import { findLinkedElsewhere } from './find-linked-elsewhere.ts';
import { linkError } from '../session/link-error.ts';
import type { Connection } from '../../model/connection.ts';
import { lockUser } from '../../users/find-user.ts';

/** Dependencies of a confirmation; the two callbacks plan and delete pulls in the transaction that creates the connection. */
export type ConfirmContext = CustodyContext & Pick<LinkContext, 'onConnected' | 'onDeregistered'>;

export interface EmailConfirmation {
  readonly linkId: string;
  /** The person's id at the practice, as shown on the provider's pages. */
  readonly patientId: string;
  readonly traceId: string | null;
  /** Confirm although other users are linked to this person. */
  readonly isForced?: boolean;
}

type Admitted = Extract<AdmissionOutcome, { kind: 'admitted' }>;

/** A login of the practice and one call, while the operator waits. */
const admitTimeoutMs = 30_000;

function notPending(): AppError {
  return new AppError({ code: 'email_link_not_found', kind: 'not_found', message: 'There is no pending link with this id' });
}

/**
 * Nothing proves that the user who requested the link owns the address. When another user has linked or requested the same person, the
 * operator decides. Until the transaction ends, no other user can be connected to the person.
 */
async function assertNobodyElse(tx: Tx, { teamId, userId, provider, email }: PendingEmailLink, providerUserId: string): Promise<void> {
  await takeLock(tx, 'named', `patient:${provider}:${providerUserId}`);
  const others = await findLinkedElsewhere(tx, { provider, email, providerUserId, teamId, userId });
  if (others.length === 0) return;
  throw new AppError({
    code: 'patient_linked_elsewhere',
    kind: 'conflict',
    message: 'Other users have already linked or requested this patient',
    details: { others },
  });
}

async function admit(context: CustodyContext, link: PendingEmailLink, patientId: string): Promise<Admitted> {
  const connector = connectorOf(context, link.provider);
  const { email } = connector;
  const practice = await applicationOf(context.database, context, link);
  if (email === null || practice === null)
    throw new AppError({ code: 'provider_unknown', kind: 'invalid', message: 'This provider is not linked by e-mail' });
  const signal = AbortSignal.timeout(admitTimeoutMs);
  const outcome = await awaitProvider(
    context.gate.admit({ connector: { ...connector, email }, practice, patientId, region: link.region, signal }),
  );
  if (outcome.kind === 'refused') throw linkError(outcome.errorType, outcome.message);
  return outcome;
}

/**
 * Confirms a link by e-mail for the practice: checks with the provider that the practice may read this person's data, and turns the request
 * into a connection. The connection, its encrypted tokens, `provider.connection.created` and the plan of its pulls are stored in one
 * transaction. Throws AppErrors `patient_linked_elsewhere` (with `details.others`) unless forced, `email_link_not_found`,
 * `provider_not_configured`, `provider_unknown` and those of a missing or demo user, and link errors for a rejection by the provider or
 * `duplicate_connection`; the request then stays pending.
 */
export async function confirmEmailLink(context: ConfirmContext, confirmation: EmailConfirmation): Promise<Connection> {
  const { linkId, patientId, traceId, isForced = false } = confirmation;
  const link = await findEmailLink(context.database, context.clock, linkId);
  if (!link) throw notPending();
  const { teamId, userId, provider, application } = link;
  const { providerUserId, tokens, account } = await admit(context, link, patientId);
  const connector = connectorOf(context, provider);
  return withEvents(context.database, async (tx: Tx, emit) => {
    const { clientUserId } = await lockUser(tx, teamId, userId);
    // Two operators may confirm concurrently: only one of them deletes the row.
    if (!(await declineEmailLink(tx, linkId))) throw notPending();
    if (!isForced) await assertNobodyElse(tx, link, providerUserId);
    await assertNoDuplicate(tx, { teamId, userId, provider, providerUserId });
    const connection = await putConnection(tx, emit, context, {
      teamId,
      userId,
      clientUserId,
      provider,
      providerUserId,
      externalUserId: link.email,
      application,
      grantedScopes: [],
      deniedScopes: [],
      account,
    });
    await putTokens(tx, context, connection.connectionId, tokens);
    await context.onConnected?.(tx, connection);
    const facts = { clientUserId, provider: connector, connector, logoBaseUrl: link.logoBaseUrl, traceId };
    emit(jsonEvent(connectionCreatedEvent(connection, facts)));
    context.logger.info({ connectionId: connection.connectionId, provider }, 'link.confirmed');
    return connection;
  });
}
