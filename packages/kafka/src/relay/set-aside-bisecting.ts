import type { Logger } from '@pulsewire/kernel';
import { writeBisecting, type Tx } from '@pulsewire/database';
import { setAside, type PoisonRecord } from '../records/poison.ts';

/**
 * `setAside` for poison records that Postgres refused: the refused ones are stored with the SQLSTATE instead of their text; one that is
 * refused again is only logged. Later positions can be saved in either case.
 */
export async function setAsideBisecting(tx: Tx, records: readonly PoisonRecord[], logger: Logger): Promise<void> {
  const refused = await writeBisecting(tx, records, (inner, some) => setAside(inner, some));
  const plain = refused.map(({ item, code }) => ({ ...item, eventId: null, eventType: null, reason: `sqlstate_${code}`, detail: '' }));
  for (const { item, code } of await writeBisecting(tx, plain, (inner, some) => setAside(inner, some)))
    logger.error({ shard: item.shard, sequence: item.offset, errorCode: code }, 'relay.event_set_aside_failed');
}
