import { findConnectionsByProviderUser } from '@pulsewire/connections';
import type { PushNotice } from '@pulsewire/providers';
import type { IngestContext } from '../context.ts';
import { findPullable } from '../plan/pullable.ts';
import { packPushed, type DataNotice, type PackedPush } from '../vault/pack-pushed.ts';
import { speaksFor } from './push-owner.ts';
import type { StoredPush } from './read-push.ts';
import { foreseeGrown } from './sift-grown.ts';

export const isData = (notice: PushNotice): notice is DataNotice => notice.kind === 'data';

/**
 * Packs what the raw vault will keep of a push, before the transaction that stores it: compressing takes a while, and rows are
 * locked there. Looks at connections and extents without locks; the transaction takes only what is still as it was seen here.
 */
export async function packPush(
  context: IngestContext,
  { provider, owners, version }: StoredPush,
  notices: readonly PushNotice[],
): Promise<readonly PackedPush[]> {
  const { database, cipher, clock, settings } = context;
  const packed: PackedPush[] = [];
  if (!settings.keepRawAnswers) return packed;
  for (const [providerUserId, data] of Map.groupBy(notices.filter(isData), (notice) => notice.providerUserId)) {
    const linked = await findConnectionsByProviderUser(database, provider, providerUserId);
    for (const { connectionId } of linked.filter((connection) => speaksFor(owners, connection))) {
      const found = await findPullable(context, database, connectionId);
      if (!found) continue;
      for (const part of await foreseeGrown(context, database, found, data, version)) {
        const kept = part.notices.filter(isData);
        if (kept.length > 0) packed.push(await packPushed(cipher, found, kept, part.version, clock.now()));
      }
    }
  }
  return packed;
}
