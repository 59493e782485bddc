import type { SealedColumn } from '@pulsewire/database';
import { rowName } from './push/app-subscription.ts';

/** Every sealed column of this package, for the rotation of keys. */
export const ingestSealedColumns: readonly SealedColumn[] = [
  {
    table: 'app_subscriptions',
    column: 'secret',
    contextColumns: ['provider', 'owner'],
    context: ([provider = '', owner = '']) => rowName(provider, owner),
  },
];
