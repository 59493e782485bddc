import { uuidv7 } from '@pulsewire/kernel';
import type { PushNotice } from '@pulsewire/providers';
import { localDay } from '../model/local-day.ts';
import type { Pullable } from '../context/pullable.ts';
import { factsOf, type VaultRow } from './store-responses.ts';
import { sealPart, type VaultCipher } from '../sealed/seal-part.ts';
import type { StoredResponse } from '../sealed/stored-response.ts';

export type DataNotice = Extract<PushNotice, { kind: 'data' }>;

/** Pushed data of one connection under one version, ready to be stored. */
export interface PackedPush {
  readonly connectionId: string;
  readonly notices: readonly DataNotice[];
  /** The user's facts that it was packed with. */
  readonly facts: string;
  readonly row: VaultRow;
}

export function factsText(found: Pullable): string {
  return JSON.stringify(factsOf(found));
}

/** Packs and seals the data of a push for one connection. */
export async function packPushed(
  cipher: VaultCipher,
  found: Pullable,
  notices: readonly DataNotice[],
  version: bigint,
  now: Date,
): Promise<PackedPush> {
  const { connectionId, userId } = found.connection;
  const startedAt = now.toISOString();
  const responses = notices.map(({ collection, payload }): StoredResponse => ({
    request: collection,
    place: `push ${collection}`,
    status: 200,
    contentType: 'application/json',
    version,
    receivedAt: startedAt,
    errorCode: null,
    bytes: Buffer.from(JSON.stringify(payload) ?? 'null'),
  }));
  const day = localDay(found.connection, now);
  const [runId, part] = [uuidv7(now.getTime()), 1];
  const row: VaultRow = {
    ...(await sealPart(cipher, { runId, part, userId }, { user: factsOf(found), now: startedAt, responses })),
    runId,
    part,
    source: 'push',
    windowId: null,
    pull: [...new Set(notices.map(({ collection }) => collection))].sort().join(','),
    lane: 'live',
    startDate: day,
    endDate: day,
    day: startedAt.slice(0, 10),
    version,
    responses: responses.length,
  };
  return { connectionId, notices, facts: factsText(found), row };
}
