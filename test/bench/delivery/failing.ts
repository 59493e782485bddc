import { sleep } from '@pulsewire/kernel';
import { attemptOutcomes } from '@pulsewire/webhooks';
import type { Benchmark } from '../report.ts';
import { failuresOf } from './harness/behaviours.ts';
import { perTransaction } from './harness/measures.ts';
import { withHarness } from './harness/with-harness.ts';
import type { Harness } from './harness/harness.ts';

/** Seconds before each attempt after the first: four attempts in all. */
const schedule = [1, 1, 2];
const attemptsMax = schedule.length + 1;

/**
 * Every second event fails, one to three times or forever, with a 500 or a broken connection. Each is tracked to its end: in our
 * record, and at the receiver. Only our own receiver can fail on purpose, so `--sink` has no effect here.
 */
export const failingBenchmark: Benchmark = {
  name: 'delivery-failing',
  group: 'delivery',
  run: (options) =>
    withHarness(options, async (harness) => {
      const endpoints = await harness.addTeams(10, 'fate', schedule);
      const teamIds = endpoints.map(({ teamId }) => teamId);
      const total = options.isQuick ? 4000 : 40_000;
      await harness.start(teamIds);
      await harness.caughtUp(60_000);
      await harness.reset();
      const base = harness.publisher.next;
      const startMs = performance.now();
      await harness.publisher.publish({ teamIds, perTransaction, perSecond: options.isQuick ? 400 : 1000, total });
      // Endpoints also succeed meanwhile: without occasional successes an endpoint counts as down, and gets ever fewer attempts.
      const following = followed(harness, base + total, options.isQuick ? 180_000 : 900_000);
      while (!(await Promise.race([following.then(() => true), sleep(0).then(() => false)])))
        await harness.publisher.publish({ teamIds, perTransaction: 1, perSecond: 100, total: 100 });
      const isEnded = await following;
      const tookMs = performance.now() - startMs;
      const end = await readEnds(harness, base, base + total);
      const summary = await harness.receiver.summary();
      return [
        {
          what: `${end.failing.toLocaleString('en-US')} failing events among ${total.toLocaleString('en-US')}, followed to their end`,
          figure:
            `delivered ${end.delivered}, exhausted ${end.exhausted}, lost ${end.lost}, wrong end ${end.wrong}; ` +
            `still waiting ${end.waiting}${isEnded ? '' : ' when time was up'}; processed twice by the receiver ${summary.repeats}; ${(tookMs / 1000).toFixed(0)} s`,
          aim: 'lost 0, each delivered or exhausted',
        },
      ];
    }),
};

/** True once no row of the events before `end` is waiting; false after the time limit. */
async function followed(harness: Harness, end: number, maxMs: number): Promise<boolean> {
  for (const endMs = performance.now() + maxMs; performance.now() < endMs; await sleep(500)) {
    const [row] = await harness.database.sql<{ open: boolean }[]>`
      SELECT EXISTS (SELECT FROM webhook_pending p JOIN log_events e ON e.shard = p.shard AND e."offset" = p."offset" AND e.day = p.log_day
                     WHERE (e.json::json ->> 'n')::bigint < ${end}) AS open`;
    if (row?.open === false) return true;
  }
  return false;
}

interface Ends {
  readonly failing: number;
  readonly delivered: number;
  readonly exhausted: number;
  /** Rows that remain: neither lost nor settled. */
  readonly waiting: number;
  readonly lost: number;
  readonly wrong: number;
}

/** Compares the recorded outcome of each event with the one that its number determines. */
async function readEnds({ database }: Harness, from: number, to: number): Promise<Ends> {
  const rows = await database.sql<{ n: number; delivered: number; exhausted: number; attempts: number; waits: boolean }[]>`
    SELECT (e.json::json ->> 'n')::int AS n, count(*) FILTER (WHERE a.outcome = ${attemptOutcomes.delivered})::int AS delivered,
           count(*) FILTER (WHERE a.outcome = ${attemptOutcomes.exhausted})::int AS exhausted, count(a.attempt)::int AS attempts,
           EXISTS (SELECT FROM webhook_pending p WHERE p.event_id = e.event_id) AS waits
    FROM log_events e LEFT JOIN webhook_attempts a USING (event_id)
    WHERE (e.json::json ->> 'n')::int >= ${from} AND (e.json::json ->> 'n')::int < ${to} GROUP BY 1, e.event_id`;
  let [failing, delivered, exhausted, waiting, lost, wrong] = [0, 0, 0, 0, 0, 0];
  for (const row of rows) {
    const failures = failuresOf(row.n);
    if (row.waits) {
      waiting += 1;
      continue;
    }
    if (row.delivered + row.exhausted === 0) lost += 1;
    const isExhausted = failures >= attemptsMax;
    const attempts = isExhausted ? attemptsMax : failures + 1;
    if (row.delivered !== (isExhausted ? 0 : 1) || row.exhausted !== (isExhausted ? 1 : 0) || row.attempts !== attempts) wrong += 1;
    if (failures === 0) continue;
    failing += 1;
    delivered += row.delivered;
    exhausted += row.exhausted;
  }
  return { failing, delivered, exhausted, waiting, lost: lost + (to - from - rows.length), wrong };
}
