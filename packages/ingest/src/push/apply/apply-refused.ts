import { writeBisecting, type Tx } from '@pulsewire/database';
import type { Emit, NewEvent } from '@pulsewire/eventlog';
import type { IngestContext } from '../../context/context.ts';
import { countQuarantined } from '../../pull-windows/count-window.ts';
import { refusalReason, setAside } from '../../records/set-aside.ts';
import { applyNotices } from './apply-notices.ts';
import type { NoticesFor } from './notices-for.ts';
import { pushedWindow } from './write-pushed.ts';

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
