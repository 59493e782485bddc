import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import { writeDevices } from '@pulsewire/store';
import { pullUserOf, type Pullable } from '../context/pullable.ts';

/** Stores the devices that the account facts name. Locks the user: call it first in the transaction. */
export async function storeDevices(tx: Tx, emit: Emit, { connection, connector }: Pullable): Promise<void> {
  const devices = connector.devices?.read(pullUserOf(connection)) ?? [];
  const { teamId, userId, clientUserId, provider } = connection;
  await writeDevices(tx, emit, { owner: { teamId, userId, clientUserId }, provider, traceId: null, isList: true }, devices);
}
