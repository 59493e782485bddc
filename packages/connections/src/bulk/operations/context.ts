import type { Tx } from '@pulsewire/database';
import type { PullConnection } from '../../connections/find-connections.ts';
import type { CustodyContext } from '../../context/context.ts';

/** What every bulk operation works with. */
export interface BulkContext extends Pick<CustodyContext, 'database' | 'cipher' | 'clock' | 'logger' | 'metrics' | 'connectorFor'> {
  /** Asks for a worker of this import, in the transaction that leaves it work. */
  readonly requestWork: (tx: Tx, operationId: string) => Promise<void>;
}

/** What the worker of an import needs beside that. */
export interface ImportContext extends BulkContext {
  /** Called in the same transaction with connections of another account that make way: whoever planned their pulls drops them. */
  readonly onReplaced?: (tx: Tx, connectionIds: readonly string[]) => Promise<void>;
  /** Called in the transaction that stores these connections: whoever plans pulls does it here, for all of them at once. */
  readonly onImported?: (tx: Tx, connections: readonly PullConnection[]) => Promise<void>;
}
