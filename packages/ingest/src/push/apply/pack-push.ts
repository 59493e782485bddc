import { connectionsForPush } from '@pulsewire/connections';
import type { PushNotice } from '@pulsewire/providers';
import type { IngestContext } from '../../context/context.ts';
import { pullableOf } from '../../context/pullable.ts';
import { packPushed, type DataNotice, type PackedPush } from '../../vault/pack-pushed.ts';
import { isSignedByAppOf } from '../../model/push-owner.ts';
import type { StoredPush } from '../inbox/begin-push.ts';
import { previewSuperseded } from './drop-superseded.ts';

export const isData = (notice: PushNotice): notice is DataNotice => notice.kind === 'data';

/**
 * Packs the data of a push for the raw vault before the transaction that stores it, because compression takes time and the transaction
 * holds row locks. Reads connections and extents without locks, in two statements for all of them; the transaction uses only what has not
 * changed since.
 */
export async function packPush(
  context: IngestContext,
  { provider, owners, version }: StoredPush,
  notices: readonly DataNotice[],
): Promise<readonly PackedPush[]> {
  const { database, cipher, clock, settings } = context;
  const byUser = Map.groupBy(notices, (notice) => notice.providerUserId);
  if (!settings.storeRawResponses) return [];
  const linked = await connectionsForPush(database, provider, [...byUser.keys()]);
  const pushed = linked
    .filter((connection) => connection.isPullable && isSignedByAppOf(owners, connection))
    .flatMap((connection) => {
      const found = pullableOf(context, connection);
      return found ? [{ found, notices: byUser.get(connection.providerUserId ?? '') ?? [] }] : [];
    });
  const packed: PackedPush[] = [];
  for (const [place, parts] of (await previewSuperseded(context, database, pushed, version)).entries()) {
    const found = pushed[place]?.found;
    for (const part of parts) {
      const kept = part.notices.filter(isData);
      if (found && kept.length > 0) packed.push(await packPushed(cipher, found, kept, part.version, clock.now()));
    }
  }
  return packed;
}
