import { AppError } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { connectionForIntake } from '../../connections/find-connections.ts';
import { emitConnectionCreated, putConnection } from '../../connections/put-connection.ts';
import type { LinkContext } from '../../context/context.ts';
import type { Connection } from '../../model/connection.ts';
import { manualProviders } from '../../model/manual-providers.ts';
import { lockUser } from '../../users/find-user.ts';
import { assertNoDuplicate } from './assert-no-duplicate.ts';

export interface ManualLink {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  /** The team's name of the account or device. */
  readonly providerUserId: string;
  readonly traceId: string | null;
}

/**
 * Connects a source that needs no consent: a phone's health store, a Bluetooth device, the team's own entries. No tokens, no pulls. Throws
 * AppError `provider_unknown`, the errors of a missing or demo user, and a link error `duplicate_connection`.
 */
export async function linkManually(context: LinkContext, link: ManualLink): Promise<void> {
  await withEvents(context.database, (tx, emit) => linkManuallyInTx(context, tx, emit, link));
}

/** The same, unless the user is connected already: of two requests at once one connects. */
export async function ensureManualLink(context: LinkContext, link: ManualLink): Promise<void> {
  const { teamId, userId, provider } = link;
  await withEvents(context.database, async (tx, emit) => {
    await lockUser(tx, teamId, userId);
    if (!(await connectionForIntake(tx, teamId, userId, provider))) await linkManuallyInTx(context, tx, emit, link);
  });
}

/** The same within a transaction. */
export async function linkManuallyInTx(context: LinkContext, tx: Tx, emit: Emit, link: ManualLink): Promise<Connection> {
  const { teamId, userId, providerUserId, traceId } = link;
  const provider = manualProviders.find(({ slug }) => slug === link.provider);
  if (!provider) throw new AppError({ code: 'provider_unknown', kind: 'invalid', message: 'This provider is not a manual source' });
  const connector = context.connectorFor(provider.slug) ?? null;
  const { clientUserId } = await lockUser(tx, teamId, userId);
  await assertNoDuplicate(tx, { teamId, userId, provider: provider.slug, providerUserId });
  const connection = await putConnection(tx, emit, context, {
    teamId,
    userId,
    clientUserId,
    provider: provider.slug,
    providerUserId,
    externalUserId: null,
    application: 'platform',
    grantedScopes: [],
    deniedScopes: [],
    account: {},
  });
  emitConnectionCreated(emit, context, connection, { clientUserId, provider: connector ?? provider, connector, traceId });
  return connection;
}
