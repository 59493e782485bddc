import { saveGrantedScopes } from '@pulsewire/connections';
import { type Tx, writeBisecting } from '@pulsewire/database';
import type { Emit, NewEvent } from '@pulsewire/eventlog';
import { scopesOf } from '@pulsewire/providers';
import { recordArrival } from '../../connection-schedule/due-times.ts';
import type { IngestContext } from '../../context/context.ts';
import type { Pullable } from '../../context/pullable.ts';
import { addMissingWindows } from '../../plan/missing-windows.ts';
import { planNotices } from '../../plan/plan-notices.ts';
import type { NoticesFor } from './notices-for.ts';
import { storePushed } from './store-pushed.ts';
import { pushedWindow } from './write-pushed.ts';
import { refusalReason, setAside } from '../../records/set-aside.ts';
import { countQuarantined } from '../../window/count-window.ts';

/** Applies the notices of one account to one of its connections, all but a revocation of the consent. */
export async function applyNotices(context: IngestContext, tx: Tx, emit: Emit, wanted: NoticesFor): Promise<void> {
  const { notices } = wanted;
  const found = await applyScopes(context, tx, wanted);
  const reads = notices.filter((notice) => notice.kind === 'changed' || notice.kind === 'object');
  await planNotices(context, tx, found, reads);
  await recordArrival(tx, found.connection.connectionId, context.clock.now());
  const hasData = notices.some(({ kind }) => kind === 'data' || kind === 'removed');
  if (hasData) await storePushed(context, tx, emit, { ...wanted, found });
}

/** Saves the scopes that the user grants now and plans what they add; returns the updated connection. */
async function applyScopes(context: IngestContext, tx: Tx, { found, notices }: NoticesFor): Promise<Pullable> {
  const { connection, connector } = found;
  const { connectionId } = connection;
  const scopes = notices.findLast((notice) => notice.kind === 'scopes');
  if (!scopes || !(await saveGrantedScopes(tx, connectionId, scopes.grantedScopes, scopesOf(connector)))) return found;
  const granted = { ...connection, grantedScopes: scopes.grantedScopes };
  await addMissingWindows(context, tx, { connection: granted, connector }, context.clock.now());
  await context.jobs.wake(tx, connectionId);
  return { connection: granted, connector };
}

/**
 * Like `applyNotices`, in a transaction in which nothing else runs. Refused records are quarantined one by one; a notice that is refused
 * otherwise, such as one that announces days out of range for the column, is quarantined itself.
 */
export async function applyRefused(context: IngestContext, tx: Tx, emit: Emit, wanted: NoticesFor): Promise<void> {
  const refused = await writeBisecting(tx, wanted.notices, async (inner, notices) => {
    const events: NewEvent[] = [];
    await applyNotices(context, inner, (event) => events.push(event), { ...wanted, notices });
    for (const event of events) emit(event);
  });
  if (refused.length === 0) return;
  const { found } = wanted;
  const now = context.clock.now();
  const byCollection = Map.groupBy(refused, ({ item }) => ('collection' in item ? item.collection : item.kind));
  for (const [collection, items] of byCollection) {
    const { windowId } = await pushedWindow(tx, found, collection, 'live', now);
    const quarantined = items.map(({ item, code }) => ({
      resource: collection,
      reason: refusalReason(code),
      pointer: `/notices/${wanted.notices.indexOf(item)}`,
    }));
    await setAside(tx, found, windowId, quarantined, now);
    await countQuarantined(tx, windowId, quarantined.length);
  }
}
