import { uuidv7 } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import type { PushNotice } from '@pulsewire/providers';
import { localDay } from '../plan/local-day.ts';
import type { Pullable } from '../plan/pullable.ts';
import { factsOf, keepAnswers, type VaultRow } from './keep-answers.ts';
import { packPart } from './pack-part.ts';
import type { VaultAnswer } from './vault-answer.ts';

type DataNotice = Extract<PushNotice, { kind: 'data' }>;

/**
 * Stores the data that a push brought for one connection, apart from the push: a body in the inbox may name many users, and is
 * therefore gone before any of them is erased.
 */
export async function keepPushed(tx: Tx, found: Pullable, notices: readonly DataNotice[], version: bigint, now: Date): Promise<void> {
  if (notices.length === 0) return;
  const startedAt = now.toISOString();
  const answers = notices.map(({ collection, payload }): VaultAnswer => ({
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
  const pull = [...new Set(notices.map(({ collection }) => collection))].sort().join(',');
  const row: VaultRow = {
    ...(await packPart({ user: factsOf(found), now: startedAt, answers })),
    runId: uuidv7(now.getTime()),
    part: 1,
    source: 'push',
    windowId: null,
    pull,
    lane: 'live',
    startDate: day,
    endDate: day,
    startedAt,
    version,
    answers: answers.length,
  };
  await keepAnswers(tx, found, row, true);
}
