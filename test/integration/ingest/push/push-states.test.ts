import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tx } from '@pulsewire/database';
import { attemptsMax, beginPush } from '../../../../packages/ingest/src/push/inbox/begin-push.ts';
import { insertPush } from '../../../../packages/ingest/src/push/inbox/insert-push.ts';
import { failPush, lockPush, settlePush, type AppliedPart } from '../../../../packages/ingest/src/push/inbox/settle-push.ts';
import { pushTransitions } from '../../../../packages/ingest/src/push/inbox/transitions.ts';
import { useDatabase } from '../../../support/database.ts';

const database = useDatabase({ connectionsMax: 4 });
const now = new Date(Date.UTC(2026, 2, 20, 12));

type Event = keyof typeof pushTransitions;
/** `wearOut`: all attempts but the last have been used, by workers that died. */
type Step = 'begin' | 'advance' | 'finish' | 'reject' | 'fail' | 'wearOut';
const steps: readonly Step[] = ['begin', 'advance', 'finish', 'reject', 'fail', 'wearOut'];
/** What each step may do to a pending push: the last attempt ends it. */
const eventsOf: Readonly<Record<Step, readonly Event[]>> = {
  begin: ['begin', 'giveUp'],
  advance: ['advance'],
  finish: ['finish'],
  reject: ['reject'],
  fail: ['retry', 'fail'],
  wearOut: [],
};

interface StoredState {
  readonly state: string;
  readonly attempts: number;
  readonly items_done: string;
  readonly is_finished: boolean;
}

const rollBack = new Error('Nothing of a walk is kept');

/** Takes the steps with one push; `met` collects the transitions that happened. */
async function walk(tx: Tx, taken: readonly Step[], met: Set<string>): Promise<void> {
  const job = { pushId: randomUUID(), day: '2026-03-20' };
  const push = { provider: 'wristband', owners: ['platform'], headers: {}, query: {}, pieces: 1, bodyBytes: 2 };
  await insertPush(tx, job, { ...push, lastPiece: Buffer.from('{}'), version: 1n }, now);
  const read = async () =>
    (
      await tx.sql<StoredState[]>`
      SELECT state, attempts, items_done, finished_at IS NOT NULL AS is_finished FROM push_inbox WHERE push_id = ${job.pushId}`
    )[0] as StoredState;
  const settle = async (state: AppliedPart['state']) => {
    const itemsDone = Number((await read()).items_done);
    expect(await lockPush(tx, job, itemsDone + 1), 'a worker that is behind another gets no lock').toBe(false);
    if (!(await lockPush(tx, job, itemsDone))) return;
    const part = { state, itemsDone: itemsDone + 1, notices: 1, unreadableNotices: 0, unknownUsers: 0, errorCode: null };
    await settlePush(tx, job, part, now);
  };
  for (const step of taken) {
    const before = await read();
    const isLastAttempt = before.attempts >= attemptsMax;
    if (step === 'begin') expect((await beginPush(tx, job)) !== null).toBe(before.state === 'received' && !isLastAttempt);
    else if (step === 'advance') await settle('received');
    else if (step === 'finish') await settle('done');
    else if (step === 'reject') await settle('unreadable');
    else if (step === 'fail') await failPush(tx, job, 'provider_transient');
    else await tx.sql`UPDATE push_inbox SET attempts = ${attemptsMax} WHERE push_id = ${job.pushId} AND state = 'received'`;
    const after = await read();
    const [event] = eventsOf[step].length > 1 && isLastAttempt ? eventsOf[step].slice(1) : eventsOf[step];
    const legal: Readonly<Partial<Record<string, string>>> = event === undefined ? {} : pushTransitions[event];
    expect(after.state, `${step} of ${before.state}`).toBe(legal[before.state] ?? before.state);
    if (before.state !== 'received') expect(after, `${step}: an ended push stays as it is`).toEqual(before);
    else if (event !== undefined) met.add(event);
    expect(after.is_finished, 'a push has an end exactly when it was applied or rejected').toBe(
      after.state === 'done' || after.state === 'unreadable',
    );
  }
  throw rollBack;
}

test('a push changes its state exactly as its transitions say, and an ended one never again', async () => {
  const met = new Set<string>();
  const arbitrary = fc.array(fc.constantFrom(...steps, 'begin' as const, 'advance' as const), { minLength: 3, maxLength: 15 });
  const examples = [
    ...steps.map((step): [readonly Step[]] => [['begin', step, 'begin']]),
    ...steps.map((step): [readonly Step[]] => [['begin', 'wearOut', step, 'begin']]),
  ];
  const property = fc.asyncProperty(arbitrary, async (taken) => {
    await database.current.transaction((tx) => walk(tx, taken, met)).catch((error: unknown) => expect(error).toBe(rollBack));
  });
  await fc.assert(property, { numRuns: examples.length + 20, examples });
  // Every transition of the table has happened; `receive` begins each walk.
  expect(Object.keys(pushTransitions).filter((event) => event !== 'receive' && !met.has(event))).toEqual([]);
});
