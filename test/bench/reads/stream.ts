import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Agent, request } from 'undici';
import type { Database } from '@pulsewire/database';
import { packSamples } from '@pulsewire/store';
import { peakMiB } from '../peak-memory.ts';
import { perSecond, type Benchmark, type Line } from '../report.ts';
import { openReadBench, type ReadBench } from './open-bench.ts';

const startMs = Date.UTC(2026, 0, 1);
const stepMs = 5000;
const atOnce = 20;

/** For the user of the benchmark: a heart rate every five seconds for this many days, and an activity per day for a year. */
async function fill({ sql }: Database, userId: string, days: number): Promise<number> {
  const count = (days * 86_400_000) / stepMs;
  const [source] = await sql<{ user_source_id: number }[]>`
    INSERT INTO sources (team_id, user_id, provider, source_type) SELECT team_id, user_id, 'oura', 'ring' FROM users WHERE user_id = ${userId}
    RETURNING user_source_id`;
  const [series] = await sql<{ series: number }[]>`INSERT INTO series (resource, sub_kind) VALUES ('heartrate', '') RETURNING series`;
  await sql`
    INSERT INTO samples (user_source_id, series, tz_offset, ts, version, value)
    SELECT ${source?.user_source_id ?? 0}, ${series?.series ?? 0}, 3600, to_timestamp(${startMs / 1000} + i * ${stepMs / 1000}), 1, 50 + i % 90
    FROM generate_series(0, ${count - 1}) AS i`;
  await sql`
    INSERT INTO summaries (id, team_id, user_id, resource, provider, source, calendar_date, at, data, version, created_at, updated_at)
    SELECT gen_random_uuid(), team_id, user_id, resource, provider, source, day, day, data, version, created_at, updated_at
    FROM summaries, generate_series(date '2025-01-01', date '2025-12-31', interval '1 day') AS day
    WHERE user_id = ${userId} AND calendar_date = '2026-01-01'`;
  await sql`ANALYZE samples, sources, series, summaries`;
  return count;
}

async function readAll(agent: Agent, url: string, key: string): Promise<number> {
  const { statusCode, body } = await request(url, { dispatcher: agent, headers: { 'x-service-api-key': key }, bodyTimeout: 0 });
  if (statusCode !== 200) throw new Error(`The read responded ${statusCode}`);
  let bytes = 0;
  for await (const chunk of body) bytes += (chunk as Buffer).length;
  return bytes;
}

/** Milliseconds for the same rows by `COPY … TO STDOUT`, discarded. */
async function copyMs(database: Database, count: number): Promise<number> {
  const connection = await database.reserve();
  try {
    const start = performance.now();
    const stream = await connection`
      COPY (SELECT ts, value, tz_offset FROM samples WHERE tz_offset = 3600 ORDER BY ts) TO STDOUT`.readable();
    let lines = 0;
    for await (const chunk of stream) for (const byte of chunk as Buffer) if (byte === 10) lines += 1;
    if (lines !== count) throw new Error(`COPY gave ${lines} rows of ${count}`);
    return performance.now() - start;
  } finally {
    connection.release();
  }
}

async function measure(bench: ReadBench, baseUrl: string, pid: number, days: number): Promise<readonly Line[]> {
  const userId = /summary\/activity\/([\w-]+)/.exec(bench.path)?.[1] ?? '';
  const count = await fill(bench.database, userId, days);
  const agent = new Agent({ connections: atOnce });
  const window = (what: string, from: string, to: string) => `${baseUrl}/v2/${what}?start_date=${from}&end_date=${to}`;
  const flat = window(`timeseries/${userId}/heartrate`, '2026-01-01', '2026-12-31');
  const year = window(`summary/activity/${userId}`, '2025-01-01', '2025-12-31');
  const timed = async (read: () => Promise<unknown>) => {
    const start = performance.now();
    await read();
    return performance.now() - start;
  };
  try {
    // Newly loaded code is slow, and allocates memory once.
    const flatBytes = await readAll(agent, flat, bench.key);
    if (flatBytes < count * 100) throw new Error(`${flatBytes} bytes are too few for ${count} samples`);
    await readAll(agent, year, bench.key);
    // In turn, and the fastest of each, because other work on the machine slows single measurements.
    let [oneMs, copiedMs] = [Infinity, Infinity];
    for (let round = 0; round < 3; round += 1) {
      oneMs = Math.min(oneMs, await timed(() => readAll(agent, flat, bench.key)));
      copiedMs = Math.min(copiedMs, await copyMs(bench.database, count));
    }
    const peakOfOne = await peakMiB(pid);
    const allMs = await timed(() => Promise.all(Array.from({ length: atOnce }, () => readAll(agent, flat, bench.key))));
    const peakOfAll = await peakMiB(pid);
    const yearMs = await timed(() => Promise.all(Array.from({ length: atOnce }, () => readAll(agent, year, bench.key))));
    const peakOfYears = await peakMiB(pid);
    // The same samples as pieces; COPY reads them as rows, which it does faster.
    await packSamples(bench.database, { before: '2027-01-01' }, new AbortController().signal);
    await bench.database.sql`VACUUM ANALYZE sample_pieces`;
    let packedMs = Infinity;
    for (let round = 0; round < 3; round += 1) packedMs = Math.min(packedMs, await timed(() => readAll(agent, flat, bench.key)));
    const allPackedMs = await timed(() => Promise.all(Array.from({ length: atOnce }, () => readAll(agent, flat, bench.key))));
    const peakOfAllPacked = await peakMiB(pid);
    const copied = perSecond(count, copiedMs);
    return [
      {
        what: `samples of ${days} days over HTTP`,
        figure: perSecond(count, oneMs),
        against: `COPY TO ${copied}`,
        ratio: copiedMs / oneMs,
        aim: 'at least 0.3',
      },
      {
        what: `the same, ${atOnce} at once`,
        figure: perSecond(count * atOnce, allMs),
        against: `COPY TO ${copied}`,
        ratio: (copiedMs * atOnce) / allMs,
      },
      {
        what: `peak memory of ${atOnce} at once`,
        figure: `${peakOfAll} MiB`,
        against: `one ${peakOfOne} MiB`,
        ratio: peakOfAll / peakOfOne,
        aim: 'flat',
      },
      {
        what: `samples of ${days} packed days over HTTP`,
        figure: perSecond(count, packedMs),
        against: `COPY TO of rows ${copied}`,
        ratio: copiedMs / packedMs,
        aim: '>= 1',
      },
      {
        what: `the same, ${atOnce} at once`,
        figure: perSecond(count * atOnce, allPackedMs),
        against: `COPY TO of rows ${copied}`,
        ratio: (copiedMs * atOnce) / allPackedMs,
      },
      {
        what: `peak memory of ${atOnce} at once, packed`,
        figure: `${peakOfAllPacked} MiB`,
        against: `one ${peakOfOne} MiB`,
        ratio: peakOfAllPacked / peakOfOne,
        aim: 'flat',
      },
      {
        what: `a year of summaries, ${atOnce} at once`,
        figure: `${Math.round(yearMs)} ms, peak ${peakOfYears} MiB`,
        against: `before ${peakOfAll} MiB`,
        ratio: peakOfYears / peakOfAll,
      },
    ];
  } finally {
    await agent.close();
  }
}

/** Whole windows over HTTP: samples per second compared with COPY, and memory of one read compared with that of many. */
export const streamBenchmark: Benchmark = {
  name: 'reads',
  async run({ isQuick }) {
    await using bench = await openReadBench('bench_reads');
    const child = fork(path.join(import.meta.dirname, 'api-process.ts'), [bench.url], { execArgv: process.execArgv });
    try {
      const [url] = (await once(child, 'message')) as [string];
      return await measure(bench, url, child.pid as number, isQuick ? 3 : 30);
    } finally {
      child.disconnect();
      await once(child, 'exit');
    }
  },
};
