import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import { writeDevices } from '@pulsewire/store';
import type { IngestContext } from '../context/context.ts';
import { pullUserOf, rawCipherOf, type Pullable } from '../context/pullable.ts';

/** Stores the devices that the account facts name. Locks the user: call it first in the transaction. */
export async function storeDevices(
  context: Pick<IngestContext, 'cipher'>,
  tx: Tx,
  emit: Emit,
  { connection, connector }: Pullable,
): Promise<void> {
  const devices = connector.devices?.read(pullUserOf(connection)) ?? [];
  const { teamId, userId, clientUserId, provider } = connection;
  const owner = { teamId, userId, clientUserId };
  await writeDevices(tx, emit, { owner, provider, traceId: null, isList: true, rawCipher: rawCipherOf(context, connection) }, devices);
}
