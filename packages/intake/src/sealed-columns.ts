import type { SealedColumn } from '@pulsewire/database';
import { batchContext } from './model/seal-batch.ts';

/** Every sealed column of this package, for the rotation of keys. */
export const intakeSealedColumns: readonly SealedColumn[] = [
  {
    table: 'phone_batches',
    column: 'body',
    contextColumns: ['batch_id', 'user_id'],
    context: ([batchId = '', userId = '']) => batchContext(batchId, userId),
  },
];
