import { writeBisecting, type Tx } from '@pulsewire/database';
import type { Logger, Metrics } from '@pulsewire/kernel';
import type { RecordItem } from '../delivery/delivery.ts';
import { quarantine, removeRows } from './quarantine.ts';
import { recordBatch } from './record-batch.ts';

/** Records a batch in which Postgres rejected a value: quarantines the rejected items and returns the recorded ones. */
export async function recordCarefully(
  tx: Tx,
  owner: string,
  items: readonly RecordItem[],
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): Promise<readonly RecordItem[]> {
  const refused = await writeBisecting(tx, items, (inner, some) => recordBatch(inner, owner, some));
  const aside = refused.map(({ item: { delivery }, code }) => ({
    item: {
      endpointId: delivery.endpoint.endpointId,
      eventId: delivery.message.eventId,
      shard: delivery.event.shard,
      offset: delivery.event.offset,
      day: delivery.event.day,
      userId: delivery.event.userId,
      eventType: delivery.message.eventType,
      replayId: delivery.replayId,
    },
    code,
  }));
  // An item that the quarantine rejects as well is only logged and not retried.
  const lost = await writeBisecting(tx, aside, quarantine);
  for (const { item, code } of lost)
    logger.error({ endpointId: item.item.endpointId, eventId: item.item.eventId, errorCode: code }, 'delivery.dropped');
  await removeRows(
    tx,
    lost.map(({ item }) => item.item),
  );
  for (const { item, code } of aside)
    logger.error({ endpointId: item.endpointId, eventId: item.eventId, errorCode: code }, 'delivery.quarantined');
  if (aside.length > 0) metrics.count('webhook_quarantined_total', {}, aside.length);
  const atFault = new Set(refused.map(({ item }) => item));
  return items.filter((item) => !atFault.has(item));
}
