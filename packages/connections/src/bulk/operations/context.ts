import type { Tx } from '@pulsewire/database';
import type { PullConnection } from '../../connections/find-connections.ts';
import type { CustodyContext } from '../../context/context.ts';
import type { ProviderGate } from '../../providers/provider-gate.ts';

/** Dependencies of every bulk operation. */
export interface BulkContext extends Pick<CustodyContext, 'database' | 'cipher' | 'clock' | 'logger' | 'metrics' | 'connectorFor'> {
  /** Queues a job that works on this import, in the transaction that stores the work. */
  readonly requestWork: (tx: Tx, operationId: string) => Promise<void>;
}

/** Additional dependencies of the worker of an import. */
export interface ImportContext extends BulkContext {
  /** Refreshes the tokens of recipes that have expired. */
  readonly gate: Pick<ProviderGate, 'refresh'>;
  /** Called in the same transaction with replaced connections of other accounts, to delete their plans of pulls. */
  readonly onReplaced?: (tx: Tx, connectionIds: readonly string[]) => Promise<void>;
  /** Called in the transaction that stores these connections, to plan the pulls of all of them. */
  readonly onImported?: (tx: Tx, connections: readonly PullConnection[]) => Promise<void>;
}
