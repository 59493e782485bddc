import { openDatabase, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../../support/test-server.ts';
import { idealAge } from './ideal.ts';
import { startProcess } from './process.ts';
import { createQuotaHarness, endTurns, pollDue, type QuotaHarness, type Scenario } from './harness.ts';
import { quantile, type Benchmark, type Line } from '../report.ts';

const minuteMs = 60_000;
const stepMs = 500;
const processes = 3;
const appearMs = 5 * minuteMs;
const sampleEveryMs = 20_000;
const leaseMs = 30_000;

function scenarios(isQuick: boolean): readonly Scenario[] {
  // Runs take 1 to 3 calls: all connections polled every 40 minutes need half of the quota, every 10 minutes twice the quota.
  const sliding = [{ scope: 'app', requests: 5000, perMs: 5 * minuteMs, window: 'sliding' }] as const;
  const aligned = [{ scope: 'app', requests: 15_000, perMs: 15 * minuteMs, window: 'aligned' }] as const;
  const scarce = {
    connections: 10_000,
    backfills: 0,
    pollMs: 10 * minuteMs,
    callsMax: 3,
    ...lasting(isQuick ? 60 : 90, 45),
  };
  const ample = { connections: 10_000, pollMs: 40 * minuteMs, callsMax: 3, ...lasting(isQuick ? 60 : 110, isQuick ? 45 : 65) };
  return [
    { name: 'sliding, live alone', rules: sliding, ...scarce },
    { name: 'aligned, live alone, a process dies', rules: aligned, ...scarce, deathMs: 30 * minuteMs },
    { name: 'sliding, live wants half', rules: sliding, ...ample, backfills: 0 },
    { name: 'sliding, live wants half, backfills the rest', rules: sliding, ...ample, backfills: 1000 },
  ];
}

function lasting(minutes: number, measureFrom: number): Pick<Scenario, 'runMs' | 'measureFromMs'> {
  return { runMs: minutes * minuteMs, measureFromMs: measureFrom * minuteMs };
}

/** Ages of the newest data of all connections: the data that appeared last before each reading. */
function agesOf({ readAt, clock }: QuotaHarness): number[] {
  const nowMs = clock.now().getTime();
  return [...readAt].map(([connectionId, readMs]) => {
    const phaseMs = Number.parseInt(connectionId.slice(0, 8), 16) % appearMs;
    return nowMs - (Math.floor((readMs - phaseMs) / appearMs) * appearMs + phaseMs);
  });
}

async function simulate(database: Database, scenario: Scenario): Promise<{ harness: QuotaHarness; ages: number[]; share: number }> {
  const harness = await createQuotaHarness(database, scenario);
  const startMs = harness.clock.now().getTime();
  const running = Array.from({ length: processes }, () => startProcess(harness));
  const ages: number[] = [];
  let orphans: { readonly atMs: number; readonly turns: QuotaHarness['ready'] } | null = null;
  for (let atMs = 0; atMs < scenario.runMs; atMs += stepMs) {
    if (scenario.deathMs === atMs) {
      const [dead] = running.splice(0, 1);
      // Other processes take over its connections when their leases end, and a new process starts.
      orphans = { atMs: atMs + leaseMs, turns: (dead?.held() ?? []).map(({ connectionId, lane }) => ({ connectionId, lane })) };
    }
    if (orphans && orphans.atMs <= atMs) {
      harness.ready.push(...orphans.turns);
      orphans = null;
      running.push(startProcess(harness));
    }
    if (atMs % 1000 === 0) await pollDue(harness);
    const ended = await Promise.all(running.map((process) => process.step(atMs % 1000 === 0)));
    await endTurns(harness, ended.flat());
    for (const turn of ended.flat()) if (turn.lane === 'backfill') harness.ready.push({ connectionId: turn.connectionId, lane: turn.lane });
    if (atMs >= scenario.measureFromMs && atMs % sampleEveryMs === 0) ages.push(...agesOf(harness));
    harness.clock.advance(stepMs);
  }
  return {
    harness,
    ages: ages.toSorted((a, b) => a - b),
    share: harness.provider.share(startMs + scenario.measureFromMs, startMs + scenario.runMs),
  };
}

async function measure(database: Database, scenario: Scenario): Promise<readonly Line[]> {
  const { harness, ages, share } = await simulate(database, scenario);
  const perMs = Math.min(...scenario.rules.map(({ requests, perMs: windowMs }) => requests / windowMs));
  const roundMs = (scenario.connections * ((1 + scenario.callsMax) / 2)) / perMs;
  const readMs = Math.max(roundMs, scenario.pollMs);
  const isScarce = roundMs >= scenario.pollMs || scenario.backfills > 0;
  const age = (part: number): Line => {
    const [measured, best] = [quantile(ages, part), idealAge(readMs, appearMs, part)];
    const minutes = (ms: number) => `${(ms / minuteMs).toFixed(1)} min`;
    const against = `${minutes(best)} when each is read every ${minutes(readMs)} to the second`;
    return { what: `${scenario.name}: age of the newest data, p${part * 100}`, figure: minutes(measured), against, ratio: measured / best };
  };
  return [
    { what: `${scenario.name}: share of the quota used`, figure: share.toFixed(3), ...(isScarce && { aim: '>= 0.95' }) },
    { what: `${scenario.name}: breaches`, figure: String(harness.provider.breaches()), aim: '0' },
    age(0.5),
    age(0.99),
  ];
}

/** How an application's quota is used by 10,000 connections and three processes, in simulated time on a real Postgres. */
export const quotaBenchmark: Benchmark = {
  name: 'quota',
  async run({ isQuick }) {
    const server = await startTestServer();
    try {
      // Side by side, each with a database of its own: they wait for Postgres most of the time.
      const results = await Promise.all(
        scenarios(isQuick).map(async (scenario, index) => {
          const name = `bench_quota_${index}`;
          const database = openDatabase({ url: await createDatabase(server.adminUrl, name, server.template), connectionsMax: 6 });
          try {
            return await measure(database, scenario);
          } finally {
            await database.close();
            await dropDatabase(server.adminUrl, name);
          }
        }),
      );
      return results.flat();
    } finally {
      await server.stop();
    }
  },
};
