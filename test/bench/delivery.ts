import { sleep, uuidToBase62 } from '@pulsewire/kernel';
import { bareLoop } from './bare-loop.ts';
import { DeliveryStage } from './delivery-stage.ts';
import { describeMachine, perSecond, quantile, type Benchmark, type Line } from './report.ts';
import { BenchSink } from './sink.ts';

/** From a committed change to the request at the receiver; and how many deliveries a second, against a bare loop. */
export const deliveryBenchmark: Benchmark = {
  name: 'delivery',
  async run({ isQuick }) {
    const sink = await BenchSink.start();
    const stage = await DeliveryStage.open(sink.url);
    try {
      console.log(`  ${describeMachine(`Postgres ${stage.server.majorVersion}, fsync on`)}`);
      stage.dispatcher.start();
      await stage.warmUp(() => sink.count());
      const lines: Line[] = [];
      for (const rate of [1, 100, 500]) lines.push(...(await latency(stage, sink, rate, isQuick ? 4 : 20)));
      lines.push(...(await throughput(stage, sink, isQuick ? 10_000 : 40_000)));
      return lines;
    } finally {
      await stage.close();
      await sink.close();
    }
  },
};

/** Events committed one by one at a steady rate; each arrival is held against the end of its commit. */
async function latency(stage: DeliveryStage, sink: BenchSink, rate: number, seconds: number): Promise<readonly Line[]> {
  const committed = new Map<string, number>();
  const total = Math.max(rate === 1 ? 20 : 0, rate * seconds);
  const intervalMs = rate === 1 ? 100 : 1000 / rate;
  await commitSteadily(stage, { total: Math.min(total, rate === 1 ? 20 : rate), intervalMs }, new Map());
  await stage.settled(60_000);
  await sink.reset();
  await commitSteadily(stage, { total, intervalMs }, committed);
  await stage.settled(60_000);
  const arrivals = await sink.arrivals();
  const latencies = [...committed].flatMap(([id, at]) => (arrivals.has(id) ? [(arrivals.get(id) ?? 0) - at] : [])).sort((a, b) => a - b);
  const what = rate === 1 ? 'commit to receiver, one at a time' : `commit to receiver at ${rate}/s`;
  const missing = committed.size - latencies.length;
  return [
    {
      what,
      figure: `p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms, of ${committed.size} events${missing > 0 ? `, ${missing} MISSING` : ''}`,
      aim: 'p50 <= 3 ms, p99 <= 20 ms',
    },
  ];
}

async function commitSteadily(
  stage: DeliveryStage,
  load: { total: number; intervalMs: number },
  committed: Map<string, number>,
): Promise<void> {
  const start = performance.now();
  const running = new Set<Promise<void>>();
  for (let i = 0; i < load.total; i++) {
    const waitMs = start + i * load.intervalMs - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    const event = stage.event();
    const commit = stage
      .commit([event])
      .then(() => void committed.set(`msg_${uuidToBase62(event.eventId)}`, performance.timeOrigin + performance.now()));
    running.add(commit);
    void commit.finally(() => running.delete(commit));
  }
  await Promise.all(running);
}

/** A backlog drained by the dispatcher, and the same number of the same bodies posted by a bare loop, in turns. */
async function throughput(stage: DeliveryStage, sink: BenchSink, events: number): Promise<readonly Line[]> {
  const rounds = 3;
  const ours: number[] = [];
  const bare: number[] = [];
  let walBytes = 0;
  for (let round = 0; round < rounds; round++) {
    await stage.dispatcher.stop();
    const walBefore = await walPosition(stage);
    for (let written = 0; written < events; written += 500) await stage.commit(Array.from({ length: 500 }, () => stage.event()));
    await sink.reset();
    stage.dispatcher.start();
    ours.push(await drainTime(sink, events));
    await stage.settled(60_000);
    walBytes += (await walPosition(stage)) - walBefore;
    await sink.reset();
    const body = JSON.stringify({ filler: 'x'.repeat(1000) });
    bare.push(await bareLoop({ url: sink.url, body, count: events, inFlight: 64 }));
  }
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  return [
    {
      what: 'deliveries, signed and recorded, fan-out 1',
      figure: perSecond(events, middle(ours)),
      against: `bare undici loop ${perSecond(events, middle(bare))}`,
      ratio: middle(bare) / middle(ours),
    },
    { what: 'WAL a delivered event of 1 KB, log and outcome included', figure: `${Math.round(walBytes / (events * rounds))} B` },
  ];
}

/** From the first arrival to the last, so that the start of the process does not count. */
async function drainTime(sink: BenchSink, events: number): Promise<number> {
  for (let waitedMs = 0; (await sink.count()) < events && waitedMs < 120_000; waitedMs += 50) await sleep(50);
  const times = [...(await sink.arrivals()).values()];
  return Math.max(...bounds(times)) - Math.min(...bounds(times));
}

function bounds(times: readonly number[]): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const time of times) {
    if (time < low) low = time;
    if (time > high) high = time;
  }
  return [low, high];
}

async function walPosition({ database }: DeliveryStage): Promise<number> {
  const [row] = await database.sql<{ bytes: string }[]>`SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS bytes`;
  return Number(row?.bytes);
}
