import { saveGrantedScopes } from '@pulsewire/connections';
import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import { scopesOf, type PushNotice } from '@pulsewire/providers';
import type { IngestContext } from '../../context/context.ts';
import { nameObject } from '../../sealed/named-object.ts';
import { planAnnounced, planObject, readCursors } from '../../plan/plan-live.ts';
import { planPulls } from '../../plan/plan-pulls.ts';
import { findPullable, pullUserOf, type Pullable } from '../../context/pullable.ts';
import { pullsOf } from '../../plan/pulls-of.ts';
import { touchPlan } from '../../plan/touch-plan.ts';
import { keepPushed } from '../../vault/keep-pushed.ts';
import type { PackedPush } from '../../vault/pack-pushed.ts';
import { dropSuperseded } from './drop-superseded.ts';
import { writePushed, type PushedRecords } from './write-pushed.ts';

type NoticeOf<Kind extends PushNotice['kind']> = Extract<PushNotice, { kind: Kind }>;

function ofKind<Kind extends PushNotice['kind']>(notices: readonly PushNotice[], kind: Kind): NoticeOf<Kind>[] {
  return notices.filter((notice): notice is NoticeOf<Kind> => notice.kind === kind);
}

async function planReads(context: IngestContext, tx: Tx, { connection, connector }: Pullable, notices: readonly PushNotice[]) {
  const changes = ofKind(notices, 'changed');
  const objects = ofKind(notices, 'object');
  if (changes.length + objects.length === 0) return;
  const now = context.clock.now();
  await touchPlan(tx, connection, now);
  const pulls = pullsOf(connector, connection);
  const cursors = new Map(await readCursors(tx, connection.connectionId));
  // The newest first: what it makes up for is then not planned again, in other pieces, for the days before it.
  for (const { collection, window } of changes.toSorted((a, b) => b.window.endDate.localeCompare(a.window.endDate))) {
    const asked = pulls.filter((pull) => pull.collections.includes(collection));
    await planAnnounced(tx, connection, asked, cursors, window, now);
    for (const { name } of asked) if ((cursors.get(name) ?? window.endDate) < window.endDate) cursors.set(name, window.endDate);
  }
  for (const notice of objects) {
    const asked = pulls.filter((pull) => pull.collections.includes(notice.collection));
    await planObject(tx, connection, asked, nameObject(context.cipher, connection.connectionId, notice), now);
  }
  await context.jobs.wake(tx, connection.connectionId);
}

/** What the push itself holds for this user: data, and objects that are gone. */
function recordsOf({ connection, connector }: Pullable, notices: readonly PushNotice[]): PushedRecords[] {
  const user = pullUserOf(connection);
  const data = ofKind(notices, 'data').map(({ collection, payload }) => ({
    collection,
    mapped: connector.push?.map?.({ collection, payload, user }) ?? { records: [], quarantined: [] },
  }));
  const removed = ofKind(notices, 'removed').map(({ collection, objectId }) => ({
    collection,
    mapped: {
      quarantined: [],
      records: connector.pulls
        .filter((pull) => pull.collections.includes(collection))
        .flatMap((pull) => pull.removeObject?.({ user, objectId }) ?? []),
    },
  }));
  return [...data, ...removed];
}

export interface NoticesFor {
  readonly connectionId: string;
  readonly notices: readonly PushNotice[];
  readonly version: bigint;
  /** Of all connections that the push is about. */
  readonly packed: readonly PackedPush[];
  /** What Postgres refuses is set aside (`storeApart`). */
  readonly isApart: boolean;
}

/** Does for one connection what the notices about its account ask for, the withdrawal of the consent left out. */
export async function applyNotices(
  context: IngestContext,
  tx: Tx,
  emit: Emit,
  { connectionId, notices, version, packed, isApart }: NoticesFor,
): Promise<void> {
  let found = notices.length > 0 ? await findPullable(context, tx, connectionId) : null;
  if (!found) return;
  const scopes = ofKind(notices, 'scopes').at(-1);
  if (scopes && (await saveGrantedScopes(tx, connectionId, scopes.grantedScopes, scopesOf(found.connector)))) {
    found = (await findPullable(context, tx, connectionId)) ?? found;
    await planPulls(tx, found.connection, found.connector, context.clock.now());
    await context.jobs.wake(tx, connectionId);
  }
  await planReads(context, tx, found, notices);
  for (const part of await dropSuperseded(context, tx, found, notices, version)) {
    await writePushed(context, tx, emit, found, recordsOf(found, part.notices), part.version, isApart);
    if (!context.settings.keepRawAnswers) continue;
    const data = { notices: ofKind(part.notices, 'data'), version: part.version, packed };
    await keepPushed(context.cipher, tx, found, data, context.clock.now());
  }
}
