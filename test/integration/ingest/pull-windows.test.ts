import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PullConnection } from '@pulsewire/connections';
import type { Tx } from '@pulsewire/database';
import { claimWindows, type RunningWindow } from '../../../packages/ingest/src/window/claim-window.ts';
import { recordPushedWindow } from '../../../packages/ingest/src/window/count-window.ts';
import { endWindow } from '../../../packages/ingest/src/window/end-window.ts';
import { digestBytes, endUnchanged, packReading, unpackReading } from '../../../packages/ingest/src/window/last-reading.ts';
import {
  awaitNotifications,
  giveBackUnread,
  giveUpRemoved,
  replanInterrupted,
  retryLater,
  yieldBack,
} from '../../../packages/ingest/src/window/leave-window.ts';
import { addWindows, type RankedPull } from '../../../packages/ingest/src/window/add-windows.ts';
import { windowTransitions } from '../../../packages/ingest/src/window/transitions.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase({ connectionsMax: 4 });
const startMs = Date.UTC(2026, 2, 20, 12);
const minuteMs = 60_000;
const pull = { name: 'moves', rank: 0, resources: ['steps'] } as unknown as RankedPull;

type Event = keyof typeof windowTransitions;
type Step =
  | { readonly event: 'plan'; readonly day: number; readonly isAnnounced: boolean }
  | { readonly event: 'receive'; readonly day: number }
  | { readonly event: 'claim' | 'repeat' | 'retryLater' | 'await' | 'interrupt' | 'remove' | 'giveBack' }
  | { readonly event: 'end'; readonly errorCode: string | null }
  | { readonly event: 'yieldBack'; readonly errorCode: string | null };

const day = fc.integer({ min: 1, max: 3 });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ event: fc.constant('plan' as const), day, isAnnounced: fc.boolean() }),
    fc.record({ event: fc.constant('receive' as const), day }),
    fc.record({
      event: fc.constantFrom(
        'claim' as const,
        'claim' as const,
        'repeat' as const,
        'retryLater' as const,
        'await' as const,
        'interrupt' as const,
        'giveBack' as const,
      ),
    }),
    fc.record({ event: fc.constant('end' as const), errorCode: fc.constantFrom(null, null, 'provider_permanent', 'window_exceeds_quota') }),
    fc.record({ event: fc.constant('yieldBack' as const), errorCode: fc.constantFrom(null, 'provider_quota_spent') }),
  ),
  { minLength: 5, maxLength: 25 },
);

/** What ends of a window may be: it is over, or was asked for again meanwhile. */
const eventsOf = ({ event }: Step): readonly Event[] => {
  if (event === 'end') return ['finish', 'giveUp', 'rerun'];
  if (event === 'giveBack') return ['yieldBack'];
  return event === 'repeat' ? ['repeat', 'rerun'] : [event];
};

const plan: Step = { event: 'plan', day: 2, isAnnounced: false };
const claim: Step = { event: 'claim' };
const done: Step = { event: 'end', errorCode: null };
const refused: Step = { event: 'end', errorCode: 'provider_permanent' };
/** Walks that meet every kind of end, whatever the generator finds. */
const examples: readonly (readonly Step[])[] = [
  [plan, claim, plan, done, claim, done, plan],
  [plan, claim, done, plan, claim, { event: 'repeat' }, plan, claim, plan, { event: 'repeat' }, claim, { event: 'repeat' }],
  [plan, claim, refused, plan, claim, { event: 'await' }, claim, { event: 'retryLater' }, claim, { event: 'yieldBack', errorCode: null }],
];

interface Change {
  readonly before: string;
  readonly after: string;
  readonly is_fenced: boolean;
}

/** Records every written row with its state before and after, as the database sees it. */
async function watchChanges({ sql }: Tx): Promise<void> {
  await sql`CREATE TEMP TABLE changes (before text, after text, is_fenced boolean) ON COMMIT DROP`;
  await sql`
    CREATE FUNCTION pg_temp.note_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO changes VALUES (CASE WHEN TG_OP = 'INSERT' THEN 'none' ELSE OLD.state END, NEW.state, (NEW.state = 'running') = (NEW.run_epoch IS NOT NULL));
      RETURN NULL;
    END $$`;
  await sql`CREATE TRIGGER note_change AFTER INSERT OR UPDATE ON pull_windows FOR EACH ROW EXECUTE FUNCTION pg_temp.note_change()`;
}

const reading = packReading([{ digest: randomBytes(digestBytes), version: 7n, seenVersion: 7n }]);

const rollBack = new Error('Nothing of a walk is kept');

test('a window changes its state only as its transitions allow, and an open one can still be read', async () => {
  const seen = new Set<string>();
  const walk = async (tx: Tx, taken: readonly Step[]) => {
    const connection = { connectionId: randomUUID(), teamId: randomUUID(), userId: randomUUID() } as PullConnection;
    const { connectionId } = connection;
    const lease = { connectionId, epoch: '1' };
    let now = new Date(startMs);
    let running: readonly RunningWindow[] = [];
    await watchChanges(tx);
    await tx.sql`
      INSERT INTO pull_plans (connection_id, team_id, user_id, provider, next_pull_at, account_due_at, created_at, lease_epoch)
      VALUES (${connectionId}, ${connection.teamId}, ${connection.userId}, 'wristband', now(), now(), now(), 1)`;
    await tx.sql`INSERT INTO pull_cursors (connection_id, pull, covered_to) VALUES (${connectionId}, ${pull.name}, '2026-03-01')`;
    const end = async (window: RunningWindow, errorCode: string | null) =>
      endWindow(tx, () => {}, connection, window, errorCode === null ? { state: 'done', reading } : { state: 'given_up', errorCode }, now);
    const take = async (step: Step) => {
      const date = (place: number) => `2026-03-0${place}`;
      if (step.event === 'plan') {
        const window = { startDate: date(step.day), endDate: date(step.day) };
        await addWindows(tx, connection, 'live', [{ pull, windows: [window] }], now, step.isAnnounced);
      } else if (step.event === 'receive') {
        await recordPushedWindow(tx, connection, { collection: 'moves', rank: 1, lane: 'live', day: date(step.day), now });
      } else if (step.event === 'claim') {
        if (running.length === 0) running = await claimWindows(tx, lease, now, 3);
      } else if (step.event === 'remove') await giveUpRemoved(tx, [connectionId]);
      else if (step.event === 'interrupt') {
        await replanInterrupted(tx, connectionId);
        running = [];
      } else if (step.event === 'giveBack') {
        await giveBackUnread(tx, running);
        running = [];
      } else {
        const [window, ...others] = running;
        if (!window) return;
        running = others;
        if (step.event === 'end') await end(window, step.errorCode);
        // What was not read before, or changed since, is read in full.
        const isRepeated = step.event === 'repeat' && (await endUnchanged(tx, connectionId, window, unpackReading(reading), now));
        if (step.event === 'repeat' && !isRepeated) await end(window, null);
        if (step.event === 'yieldBack') await yieldBack(tx, window, step.errorCode);
        if (step.event === 'retryLater') await retryLater(tx, window, { errorCode: 'provider_transient', dueAt: now, now });
        if (step.event === 'await') await awaitNotifications(tx, window, { quietMs: 1, waitMs: 2 }, now);
      }
    };
    const check = async (step: Step) => {
      const changes = await tx.sql<Change[]>`DELETE FROM changes RETURNING before, after, is_fenced`;
      const allowed = eventsOf(step).flatMap((event) => Object.entries(windowTransitions[event]).map(([from, to]) => `${from} ${to}`));
      for (const { before, after, is_fenced: isFenced } of changes) {
        expect(isFenced, `${step.event}: a window has an epoch exactly while it runs`).toBe(true);
        if (before !== after || before === 'done') seen.add(`${step.event} ${before} ${after}`);
        if (before !== after) expect(allowed, `${step.event} changed a window`).toContain(`${before} ${after}`);
      }
    };
    for (const step of taken) {
      now = new Date(now.getTime() + minuteMs);
      await take(step);
      await check(step);
    }
    // Whatever happened, what is open is claimed in turn, and ends.
    await take({ event: 'interrupt' });
    now = new Date(now.getTime() + 60 * minuteMs);
    for (let count = 0; count < 8; count++) {
      for (const window of await claimWindows(tx, lease, now, 3)) await end(window, null);
    }
    const open =
      await tx.sql`SELECT window_id FROM pull_windows WHERE connection_id = ${connectionId} AND state NOT IN ('done', 'given_up')`;
    expect(open).toEqual([]);
    await take({ event: 'plan', day: 1, isAnnounced: true });
    await take({ event: 'remove' });
    await tx.sql`DELETE FROM changes WHERE after = 'planned' OR before = 'running' OR after = 'running' OR after = 'done'`;
    await check({ event: 'remove' });
    throw rollBack;
  };
  const property = fc.asyncProperty(steps, async (taken) => {
    await database.current.transaction((tx) => walk(tx, taken)).catch((error: unknown) => expect(error).toBe(rollBack));
  });
  await fc.assert(property, { numRuns: 60, examples: examples.map((example): [readonly Step[]] => [example]) });
  // The walks have met every kind of end.
  const ends = [
    'end running done',
    'end running given_up',
    'end running planned',
    'plan given_up planned',
    'plan done planned',
    'await running planned',
    'repeat running done',
    'repeat running planned',
  ];
  expect(ends.filter((change) => !seen.has(change))).toEqual([]);
});
