import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { findConnector } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { afterEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { createConformanceHarness, type ConformanceHarness } from './conformance/harness.ts';
import { quarantinedOf, samplesOf, streamsOf, summariesOf, windowsOf } from './conformance/stored.ts';

/** What the recorded responses of a provider hold, counted by the person who made them from the public source, not by a program. */
interface Held {
  /** By resource: figures of each summary, in order of time. */
  readonly summaries?: Readonly<Record<string, readonly object[]>>;
  /** By resource and sub-kind: number of samples, sum of their values, and the instants of the first and the last. */
  readonly samples?: Readonly<
    Record<string, { readonly count: number; readonly sum: number; readonly first?: string; readonly last?: string }>
  >;
  readonly streams?: number;
  /** Recordings show days before this one, where the simulated person's own data begins. Default: 11 March 2026. */
  readonly until?: string;
  /** Series of endpoints without a recording, for which the simulator has data of its own on these days. */
  readonly others?: readonly string[];
  /** Resource and reason of what cannot be read. */
  readonly setAside?: readonly (readonly [string, string])[];
}

const folder = new URL('../../../packages/sandbox/data/recorded/', import.meta.url);
const slugs = readdirSync(folder);
const database = useDatabase();
const limitMs = 120_000;
let harness: ConformanceHarness;
afterEach(() => harness.close());

const seriesOf = ({ summaries, samples }: Held, others: readonly string[] = []) =>
  [summaries, samples].map((held) => Object.keys(held ?? {}).filter((name) => !others.includes(name)));
const toCents = (value: number) => Math.round(value * 100) / 100;

async function heldBy(userId: string, connectionId: string, untilMs: number): Promise<Held> {
  const summaries = (await summariesOf(database.current, userId)).filter(({ at_ms: at }) => at > 0 && at < untilMs);
  const samples = (await samplesOf(database.current, userId)).filter(({ ts_ms: ts }) => ts < untilMs);
  const series = Map.groupBy(samples, ({ resource, sub_kind: subKind }) => `${resource} ${subKind}`.trim());
  const time = (ms: number | undefined) => new Date(ms ?? Number.NaN).toISOString();
  return {
    summaries: Object.fromEntries(
      [...Map.groupBy(summaries, ({ resource }) => resource)].map(([resource, rows]) => [
        resource,
        rows.map(({ at_ms: at, calendar_date: day, data }) => ({ at: time(at), day, ...data })),
      ]),
    ),
    samples: Object.fromEntries(
      [...series].map(([name, rows]) => [
        name,
        {
          count: rows.length,
          sum: toCents(rows.reduce((sum, { value }) => sum + (value ?? 0), 0)),
          first: time(rows[0]?.ts_ms),
          last: time(rows.at(-1)?.ts_ms),
        },
      ]),
    ),
    streams: (await streamsOf(database.current, userId)).length,
    setAside: (await quarantinedOf(database.current, connectionId)).map(({ resource, reason }) => [resource, reason] as const),
  };
}

describe('responses made from public recordings', () => {
  test.each(slugs)(
    '%s: nothing is lost, doubled or moved between the response and the store',
    async (slug) => {
      const [connector, entry] = [findConnector(slug), simulators.find((simulator) => simulator.slug === slug)];
      if (!connector || !entry) throw new Error(`${slug} is not registered`);
      const {
        summaries = {},
        samples = {},
        streams = 0,
        others = [],
        setAside = [],
        until = '2026-03-11',
      } = JSON.parse(readFileSync(new URL(`${slug}/holds.json`, folder), 'utf8')) as Held;
      harness = await createConformanceHarness(database.current, connector, entry);
      const account = harness.simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'America/New_York', historyDays: 0 });
      const { connectionId, userId } = await harness.link(account);
      harness.simulator.troubles.begin('as_recorded');
      await harness.drainAll();
      // Whatever is new is announced with what was recorded, where a provider pushes its data.
      if (existsSync(new URL(`${slug}/push.json`, folder))) {
        harness.clock.advance(3_600_000);
        account.makeNewData();
        await harness.simulator.pushes?.settled();
        await harness.drainAll();
      }
      const held = await heldBy(userId, connectionId, Date.parse(until));
      const failed = (await windowsOf(database.current, connectionId)).filter(({ state }) => state !== 'done');
      expect(failed).toEqual([]);
      expect(seriesOf(held, others).map((names) => names.toSorted())).toEqual(
        seriesOf({ summaries, samples }).map((names) => names.toSorted()),
      );
      expect(held).toMatchObject({ summaries, samples, streams, setAside });
    },
    limitMs,
  );
});
