import type { SealedColumn } from '@pulsewire/database';
import { objectContext } from './sealed/named-object.ts';
import { rowName } from './push/subscriptions/app-subscription.ts';
import { pieceContext } from './push/receive/store-body.ts';
import { partContext } from './sealed/seal-part.ts';

/** Every sealed column of this package, for the rotation of keys. */
export const ingestSealedColumns: readonly SealedColumn[] = [
  {
    table: 'app_subscriptions',
    column: 'secret',
    contextColumns: ['provider', 'owner'],
    context: ([provider = '', owner = '']) => rowName(provider, owner),
  },
  {
    table: 'push_bodies',
    column: 'body',
    contextColumns: ['push_id', 'piece'],
    context: ([pushId = '', piece = '']) => pieceContext(pushId, Number(piece)),
  },
  {
    table: 'pull_windows',
    column: 'object_sealed',
    contextColumns: ['connection_id', 'object_id'],
    context: ([connectionId = '', objectId = '']) => objectContext(connectionId, objectId),
  },
  {
    table: 'raw_answers',
    column: 'body',
    contextColumns: ['run_id', 'part', 'user_id'],
    context: ([runId = '', part = '', userId = '']) => partContext({ runId, part: Number(part), userId }),
  },
];
