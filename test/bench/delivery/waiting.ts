import type { Benchmark, Line } from '../report.ts';
import { measureDrain, medianOf, perSecond, perTransaction, rateOf } from './harness/measures.ts';
import { withHarness } from './harness/with-harness.ts';
import type { Harness, HarnessEndpoint } from './harness/harness.ts';

const lagMax = 4000;

/** Throughput while retries wait, and while they become due, compared with no retries. */
export const waitingBenchmark: Benchmark = {
  name: 'delivery-waiting',
  group: 'delivery',
  run: (options) =>
    withHarness(options, async (harness) => {
      const { isQuick } = options;
      const endpoints = await harness.addTeams(10);
      const teamIds = endpoints.map(({ teamId }) => teamId);
      const events = isQuick ? 10_000 : 100_000;
      await harness.start(teamIds);
      await measureDrain(harness, teamIds, events);
      const lines: Line[] = [];
      for (const rows of isQuick ? [5000, 50_000] : [50_000, 1_000_000]) {
        const none: number[] = [];
        const waiting: number[] = [];
        for (let round = 0; round < (isQuick ? 1 : 2); round++) {
          none.push(await measureDrain(harness, teamIds, events));
          await addWaiting(harness, endpoints, rows);
          waiting.push(await measureDrain(harness, teamIds, events));
          await harness.database.sql`TRUNCATE webhook_pending`;
        }
        lines.push({
          what: `deliveries of a backlog while ${rows.toLocaleString('en-US')} retries wait`,
          figure: perSecond(medianOf(waiting)),
          against: `none ${perSecond(medianOf(none))}`,
          ratio: medianOf(waiting) / medianOf(none),
          aim: '>= 0.95',
        });
      }
      lines.push(await whileDue(harness, teamIds, isQuick ? 2000 : 20_000, isQuick ? 8 : 30));
      return lines;
    }),
};

/** Rows that will be due in hours: their cost is that of their mere presence. */
async function addWaiting({ database }: Harness, endpoints: readonly HarnessEndpoint[], rows: number): Promise<void> {
  for (const { id } of endpoints) {
    await database.sql`
      INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at)
      SELECT ${id}, gen_random_uuid(), e.shard, e."offset", e.day, 2, now() + interval '1 hour' + n * interval '10 ms'
      FROM generate_series(1, ${Math.round(rows / endpoints.length)}::int) n, (SELECT * FROM log_events LIMIT 1) e`;
  }
  await database.sql`ANALYZE webhook_pending`;
}

/** Events delivered before become due again while new ones are written and delivered as fast as possible. */
async function whileDue(harness: Harness, teamIds: readonly string[], rows: number, seconds: number): Promise<Line> {
  const rates: Record<'none' | 'due', number[]> = { none: [], due: [] };
  let retried = 0;
  for (const kind of ['none', 'due', 'none'] as const) {
    await harness.reset();
    if (kind === 'due') {
      await harness.database.sql`
        INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at)
        SELECT e.endpoint_id, l.event_id, l.shard, l."offset", l.day, 1, now() + random() * ${seconds}::float8 * interval '1 s'
        FROM (SELECT * FROM log_events ORDER BY event_id DESC LIMIT ${rows}) l JOIN webhook_endpoints e USING (team_id)`;
    }
    await harness.publisher.publish({ teamIds, perTransaction, seconds, lagMax });
    await harness.caughtUp(120_000);
    rates[kind].push(rateOf(await harness.delivered()));
    await harness.settled(120_000);
    if (kind === 'due') retried = (await harness.receiver.summary()).older;
  }
  const [due, none] = [medianOf(rates.due), rates.none.reduce((sum, rate) => sum + rate, 0) / rates.none.length];
  return {
    what: `new deliveries while ${rows.toLocaleString('en-US')} retries fall due within ${seconds} s`,
    figure: `${perSecond(due)}${harness.sinkUrl === undefined ? `, and ${retried.toLocaleString('en-US')} retries` : ''}`,
    against: `none ${perSecond(none)} (${rates.none.map(perSecond).join(' before, ')} after)`,
    ratio: due / none,
    aim: '>= 0.9',
  };
}
