import type { SealedColumn } from '@pulsewire/database';
import { rowName } from './push/app-subscription.ts';
import { partContext } from './vault/seal-part.ts';

/** Every sealed column of this package, for the rotation of keys. */
export const ingestSealedColumns: readonly SealedColumn[] = [
  {
    table: 'app_subscriptions',
    column: 'secret',
    contextColumns: ['provider', 'owner'],
    context: ([provider = '', owner = '']) => rowName(provider, owner),
  },
  {
    table: 'raw_answers',
    column: 'body',
    contextColumns: ['run_id', 'part', 'user_id'],
    context: ([runId = '', part = '', userId = '']) => partContext({ runId, part: Number(part), userId }),
  },
];
