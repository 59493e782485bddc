import type { ResourceHandover } from '@pulsewire/connections';
import type { Tx } from '@pulsewire/database';
import { isReadingHistory } from '../model/is-reading-history.ts';

/** Whether it is not known yet what a side of a handover has, because its history is being read. One that stopped is not waited for. */
export async function isStillReading(tx: Tx, { connectionId, status }: ResourceHandover['ending' | 'successor']): Promise<boolean> {
  return connectionId !== null && status === 'connected' && (await isReadingHistory(tx, connectionId));
}
