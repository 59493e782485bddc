import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import type { PushNotice } from '@pulsewire/providers';
import type { IngestContext } from '../../context/context.ts';
import { pullUserOf, type Pullable } from '../../context/pullable.ts';
import { storePushInVault } from '../../vault/store-push-in-vault.ts';
import type { NoticesFor } from './notices-for.ts';
import { dropSuperseded } from './drop-superseded.ts';
import { isData } from './pack-push.ts';
import { writePushed, type PushedRecords } from './write-pushed.ts';

/** Stores the data that a push contains for one connection: records, removals, and the raw data in the vault. */
export async function storePushed(
  context: IngestContext,
  tx: Tx,
  emit: Emit,
  { found, notices, version, packed, isolatesRefused }: NoticesFor,
): Promise<void> {
  for (const part of await dropSuperseded(context, tx, found, notices, version)) {
    await writePushed(context, tx, emit, found, recordsOf(found, part.notices), part.version, isolatesRefused);
    if (!context.settings.storeRawResponses) continue;
    const data = { notices: part.notices.filter(isData), version: part.version, packed };
    await storePushInVault(context.cipher, tx, found, data, context.clock.now());
  }
}

function recordsOf({ connection, connector }: Pullable, notices: readonly PushNotice[]): PushedRecords[] {
  const user = pullUserOf(connection);
  const data = notices.filter(isData).map(({ collection, payload }) => ({
    collection,
    mapped: connector.push?.map?.({ collection, payload, user }) ?? { records: [], quarantined: [] },
  }));
  const removed = notices.flatMap((notice) => {
    if (notice.kind !== 'removed') return [];
    const { collection, objectId } = notice;
    const records = connector.pulls
      .filter((pull) => pull.collections.includes(collection))
      .flatMap((pull) => pull.removeObject?.({ user, objectId }) ?? []);
    return [{ collection, mapped: { quarantined: [], records } }];
  });
  return [...data, ...removed];
}
