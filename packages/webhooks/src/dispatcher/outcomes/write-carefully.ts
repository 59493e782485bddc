import type { Logger, Metrics } from '@pulsewire/kernel';
import { writeBisecting, type Refused, type Tx } from '@pulsewire/database';
import { rehearseAppend, type Emit, type NewEvent, type Position } from '@pulsewire/eventlog';
import { announceExhausted, disableGone, lockGone } from './announce-outcomes.ts';
import { freeNext, type StoredUserQueue } from './free-next.ts';
import { recordCarefully } from './record-carefully.ts';
import type { RecordItem } from '../delivery/delivery.ts';

export interface CarefulWrite {
  readonly items: readonly RecordItem[];
  readonly positions: readonly Position[];
  readonly userQueues: readonly StoredUserQueue[];
  readonly owner: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  savePositions(tx: Tx, positions: readonly Position[]): Promise<void>;
}

/**
 * Writes a batch in which Postgres rejected a value, without the rejected parts: a delivery is quarantined, a position stays until the next
 * batch, a user queue is freed without ending superseded deliveries, an endpoint stays enabled, an event is not announced. Each rejection
 * is logged. Returns the endpoints of rows that became due, and the positions that were saved.
 */
export async function writeCarefully(
  tx: Tx,
  emit: Emit,
  batch: CarefulWrite,
): Promise<{ readonly freed: readonly string[]; readonly positions: readonly Position[] }> {
  const { items, logger, metrics } = batch;
  const report = <T>(message: string, refused: readonly Refused<T>[], describe: (item: T) => object) => {
    for (const { item, code } of refused) logger.error({ ...describe(item), errorCode: code }, message);
    if (refused.length > 0) metrics.count('webhook_record_refusals_total', { what: message }, refused.length);
  };
  const unsaved = await writeBisecting(tx, batch.positions, (inner, some) => batch.savePositions(inner, some));
  report('positions.save_failed', unsaved, ({ shard, offset }) => ({ shard, sequence: offset }));
  await lockGone(tx, items);
  const kept = await recordCarefully(tx, batch.owner, items, { logger, metrics });
  const freed = new Set<string>();
  const free = (userQueues: readonly StoredUserQueue[]) =>
    writeBisecting(tx, userQueues, async (inner, some) => {
      for (const endpointId of await freeNext(inner, some)) freed.add(endpointId);
    });
  const refusedUserQueues = await free(batch.userQueues);
  report('user_queues.supersede_failed', refusedUserQueues, ({ endpointId }) => ({ endpointId }));
  const unfreed = await free(refusedUserQueues.map(({ item }) => ({ ...item, skipsSuperseded: false })));
  report('user_queues.release_failed', unfreed, ({ endpointId }) => ({ endpointId }));
  const events: NewEvent[] = [];
  const undisabled = await writeBisecting(
    tx,
    kept.filter(({ attempt }) => attempt !== null && attempt.disables !== null),
    (inner, some) => disableGone(inner, (event) => events.push(event), some),
  );
  report('endpoint.disable_failed', undisabled, ({ delivery }) => ({ endpointId: delivery.endpoint.endpointId }));
  announceExhausted((event) => events.push(event), kept);
  const unannounced = await writeBisecting(tx, events, rehearseAppend);
  report('outcomes.announce_failed', unannounced, ({ eventType, teamId }) => ({ eventType, teamId }));
  const refused = new Set(unannounced.map(({ item }) => item));
  for (const event of events) if (!refused.has(event)) emit(event);
  const left = new Set(unsaved.map(({ item }) => item));
  return { freed: [...freed], positions: batch.positions.filter((position) => !left.has(position)) };
}
