import type { SealedColumn } from '@pulsewire/database';
import { deviceContext, entryContext } from './model/seal-raw.ts';

/** Every sealed column of this package, for the rotation of keys. */
export const storeSealedColumns: readonly SealedColumn[] = [
  {
    table: 'raw_entries',
    column: 'body',
    contextColumns: ['summary_id', 'user_id'],
    context: ([summaryId = '', userId = '']) => entryContext(summaryId, userId),
  },
  {
    table: 'devices',
    column: 'raw',
    contextColumns: ['device_id', 'user_id'],
    context: ([deviceId = '', userId = '']) => deviceContext(deviceId, userId),
  },
];
