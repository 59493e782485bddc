// Writes events as ingest does, in a separate process: a transaction contains some events of one user.
import { randomUUID } from 'node:crypto';
import { sleep } from '@pulsewire/kernel';
import { openDatabase } from '@pulsewire/database';
import { jsonEvent, readLag, withEvents, type NewEvent } from '@pulsewire/eventlog';
import { serve } from '../../remote.ts';
import type { Published, PublishOptions } from './publisher.ts';

const [databaseUrl = ''] = process.argv.slice(2);
const database = openDatabase({ url: databaseUrl, name: 'bench-publisher', connectionsMax: 8 });
// With the envelope a body has about 1 KB.
const filler = 'x'.repeat(760);
const now = () => performance.timeOrigin + performance.now();

function makeEvent(number: number, teamId: string, userId: string): NewEvent {
  return jsonEvent({
    eventType: 'daily.data.activity.created',
    teamId,
    userId,
    clientUserId: 'bench',
    data: { n: number, user_id: userId, filler },
  });
}

async function publish(options: PublishOptions): Promise<Published> {
  const { teamIds, base, perTransaction, perSecond, lagMax, publishers } = options;
  const total = options.total ?? Infinity;
  const startMs = performance.now();
  const endMs = startMs + (options.seconds ?? Infinity) * 1000;
  let committedAt = new Float64Array(1 << 16);
  let next = 0;
  let isHeld = false;
  const publishUntilDone = async () => {
    while (next < total && performance.now() < endMs) {
      if (isHeld) {
        await sleep(2);
        continue;
      }
      const first = next;
      const dueMs = perSecond === undefined ? 0 : startMs + (first * 1000) / perSecond;
      if (dueMs > endMs) return;
      const count = Math.min(perTransaction, total - first);
      next += count;
      // Timers are a millisecond late, so events due within one are written at once.
      if (dueMs - performance.now() > 1) await sleep(dueMs - performance.now());
      const teamId = teamIds[Math.floor(first / perTransaction) % teamIds.length] ?? '';
      const userId = randomUUID();
      await withEvents(database, async (_tx, emit) => {
        for (let i = 0; i < count; i++) emit(makeEvent(base + first + i, teamId, options.usersApart ? randomUUID() : userId));
      });
      while (committedAt.length < first + count) {
        const longer = new Float64Array(committedAt.length * 2);
        longer.set(committedAt);
        committedAt = longer;
      }
      committedAt.fill(now(), first, first + count);
    }
  };
  const running = Promise.all(Array.from({ length: publishers ?? 8 }, publishUntilDone));
  const watching = { isOver: false };
  const watch = async () => {
    for (; lagMax !== undefined && !watching.isOver; await sleep(25)) isHeld = (await readLag(database, 'dispatcher')).events > lagMax;
  };
  const watched = watch();
  await running;
  watching.isOver = true;
  await watched;
  return { count: next, committedAt: committedAt.subarray(0, next), tookMs: performance.now() - startMs };
}

serve({ publish });
