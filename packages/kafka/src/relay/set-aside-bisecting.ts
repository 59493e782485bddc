import type { Logger } from '@pulsewire/kernel';
import { writeBisecting, type Tx } from '@pulsewire/database';
import { setAside, type PoisonRecord } from '../records/poison.ts';

/**
 * `setAside` for notes that Postgres refused: those at fault are kept with the SQLSTATE in place of their own words, and one that is refused
 * even so is only logged. The positions behind them can be saved in any case.
 */
export async function setAsideBisecting(tx: Tx, records: readonly PoisonRecord[], logger: Logger): Promise<void> {
  const refused = await writeBisecting(tx, records, (inner, some) => setAside(inner, some));
  const plain = refused.map(({ item, code }) => ({ ...item, eventId: null, eventType: null, reason: `sqlstate_${code}`, detail: '' }));
  for (const { item, code } of await writeBisecting(tx, plain, (inner, some) => setAside(inner, some)))
    logger.error({ shard: item.shard, sequence: item.offset, errorCode: code }, 'relay.event_not_set_aside');
}
