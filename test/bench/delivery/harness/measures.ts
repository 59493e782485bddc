import { sleep } from '@pulsewire/kernel';
import { quantile } from '../../report.ts';
import type { Published } from './publisher.ts';
import type { Span, Harness, HarnessEndpoint } from './harness.ts';
import { cpuWithWorkersMs } from './usage.ts';

/** Events per transaction under load: as many as a pull of one user produces. */
export const perTransaction = 10;
const lagMax = 4000;

export function rateOf({ count, firstMs, lastMs }: Span): number {
  return (count * 1000) / Math.max(1, lastMs - firstMs);
}

/** Deliveries per second while events are written as fast as the dispatcher can deliver them. */
export async function measureMaximum(harness: Harness, teamIds: readonly string[], seconds: number): Promise<number> {
  await harness.reset();
  await harness.publisher.publish({ teamIds, perTransaction, seconds, lagMax });
  await harness.caughtUp(120_000);
  return rateOf(await harness.delivered());
}

/**
 * Deliveries that precede those that count. A process that has just started is slow until its code is compiled, and looks up the first 200
 * events of each shard that another process had before; the competitors in these comparisons are warm too.
 */
const warmUp = 40_000;

export interface Drain {
  /** Deliveries per second. */
  readonly rate: number;
  /** CPU time of the dispatcher for one delivery, with its worker processes, in microseconds. */
  readonly cpuUs: number;
}

/**
 * Drains a backlog, committed while no dispatcher runs: `deliveries` in all, `fanOut` for each event. 40,000 more precede them and are not
 * counted.
 */
export async function drainBacklog(harness: Harness, teamIds: readonly string[], deliveries: number, fanOut = 1): Promise<Drain> {
  await harness.dispatcher.stop();
  const total = Math.round((warmUp + deliveries) / fanOut);
  await harness.reset();
  await harness.publisher.publish({ teamIds, perTransaction: 500, usersApart: true, total });
  harness.dispatcher.start();
  const warm = await deliveredAtLeast(harness, warmUp, 300_000);
  const warmCpuMs = cpuWithWorkersMs(harness.dispatcher.pid);
  await arrived(harness, total * fanOut, 300_000);
  await harness.caughtUp(60_000);
  const usedMs = cpuWithWorkersMs(harness.dispatcher.pid) - warmCpuMs;
  const all = await harness.delivered();
  const count = all.count - warm.count;
  return { rate: rateOf({ count, firstMs: warm.lastMs, lastMs: all.lastMs }), cpuUs: (usedMs * 1000) / Math.max(1, count) };
}

/** The rate of `drainBacklog`. */
export async function measureDrain(harness: Harness, teamIds: readonly string[], deliveries: number, fanOut = 1): Promise<number> {
  return (await drainBacklog(harness, teamIds, deliveries, fanOut)).rate;
}

async function deliveredAtLeast(harness: Harness, count: number, maxMs: number): Promise<Span> {
  for (const end = performance.now() + maxMs; ; await sleep(50)) {
    const span = await harness.delivered();
    if (span.count >= count) return span;
    if (performance.now() > end) throw new Error(`${span.count} of ${count} came within ${maxMs} ms. ${harness.dispatcher.errors}`);
  }
}

/** Resolves when this many deliveries have arrived since the reset. With an external sink: when all are recorded. */
export async function arrived(harness: Harness, count: number, maxMs: number): Promise<void> {
  if (harness.sinkUrl !== undefined) return harness.caughtUp(maxMs);
  for (const end = performance.now() + maxMs; ; await sleep(50)) {
    const { taken } = await harness.receiver.summary();
    if (taken >= count) return;
    if (performance.now() > end) throw new Error(`${taken} of ${count} came within ${maxMs} ms. ${harness.dispatcher.errors}`);
  }
}

export interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
  readonly missing: number;
}

export function summarize(latencies: readonly number[], expected: number): Latencies {
  const sorted = Float64Array.from(latencies).toSorted();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), count: sorted.length, missing: expected - sorted.length };
}

/** From the end of each commit to the request at the receiver. With an external sink: to the start of the attempt, by our record. */
export async function latenciesOf(harness: Harness, endpoint: HarnessEndpoint, { committedAt }: Published): Promise<number[]> {
  const isOurs = harness.sinkUrl === undefined;
  const arrivals = isOurs ? await harness.receiver.arrivals(endpoint.number) : await attemptedAt(harness, endpoint, committedAt.length);
  const latencies: number[] = [];
  for (const [index, at] of committedAt.entries()) {
    const arrivedAt = arrivals[index] ?? 0;
    if (arrivedAt > 0) latencies.push(arrivedAt - at);
  }
  return latencies;
}

async function attemptedAt(harness: Harness, { id }: HarnessEndpoint, count: number): Promise<Float64Array> {
  const rows = await harness.database.sql<{ index: number; at: number }[]>`
    SELECT ((e.json::json ->> 'n')::bigint - ${harness.publisher.next - count}::bigint)::int AS index,
           (extract(epoch FROM min(a.attempted_at)) * 1000)::float8 AS at
    FROM log_events e JOIN webhook_attempts a USING (event_id)
    WHERE a.endpoint_id = ${id} AND (e.json::json ->> 'n')::bigint >= ${harness.publisher.next - count}::bigint GROUP BY 1`;
  const times = new Float64Array(count);
  for (const { index, at } of rows) times[index] = at;
  return times;
}

export function describeLatencies({ p50, p99, count, missing }: Latencies): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, of ${count.toLocaleString('en-US')}${missing > 0 ? `, ${missing} MISSING` : ''}`;
}

export function medianOf(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

export function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en-US')}/s`;
}
