import { addDays } from '@pulsewire/kernel';
import { plainArray, run, type Database, type Tx } from '@pulsewire/database';
import { samplePacking } from '../model/tables.ts';
import { tryLockRecords } from '../model/user-lock.ts';
import type { SeriesNumbers } from './identify.ts';
import { encodePieces, lengthMaxMs, pieceColumns, pieceFormat } from './encode-pieces.ts';
import { unpackPieces } from './unpack-pieces.ts';

/** Below this, a piece takes as much space as its rows. */
export const samplesPerDayMin = 8;
/** Half a day of minutes; with times of one byte too, five pieces fill a page, and none is large enough for TOAST. */
const samplesPerPiece = 720;
/** Rows that are read at once to find days to pack; whole days are packed, and at least one. */
const rowsAhead = 20_000;
const seriesAhead = 500;

interface PackOptions {
  /** `YYYY-MM-DD`: only days before this one, in UTC, are packed. */
  readonly before: string;
  /** The run ends after about this many samples, and this many series. */
  readonly samplesMax?: number;
  readonly seriesMax?: number;
  readonly samplesPerDay?: number;
}

export interface Packed {
  readonly samples: number;
  readonly days: number;
  /** Series that were left to the next run because a writer had the lock of their user. */
  readonly busy: number;
  /** Whether the run reached the last series. */
  readonly isComplete: boolean;
}

interface Stretch extends SeriesNumbers {
  readonly userId: string;
}

/**
 * Packs the closed days of all series, a few days of one series in each transaction, under the lock of its user; skips users whose lock is
 * taken. It may be interrupted anywhere: the next run continues with the series at which this one stopped.
 */
export async function packSamples(database: Database, options: PackOptions, signal: AbortSignal): Promise<Packed> {
  const { before, samplesMax = 5_000_000, seriesMax = 200_000, samplesPerDay = samplesPerDayMin } = options;
  const cutoffMs = Date.parse(`${before}T00:00:00Z`);
  await database.sql`SELECT require_sample_pieces()`;
  let [samples, days, busy, seen] = [0, 0, 0, 0];
  let position = await readPosition(database);
  while (!signal.aborted && samples < samplesMax && seen < seriesMax) {
    const ahead = await nextSeries(database, position);
    if (ahead.length === 0) {
      await savePosition(database, null);
      return { samples, days, busy, isComplete: true };
    }
    for (const { firstMs, ...series } of ahead) {
      if (signal.aborted || samples >= samplesMax) break;
      for (let fromMs = firstMs; fromMs < cutoffMs && !signal.aborted;) {
        const done = await database.transaction((tx) => packStretch(tx, series, fromMs, cutoffMs, samplesPerDay));
        if (done === null) {
          busy += 1;
          break;
        }
        [samples, days, fromMs] = [samples + done.samples, days + done.days, done.nextMs];
      }
      seen += 1;
      position = series;
    }
    await savePosition(database, position);
  }
  return { samples, days, busy, isComplete: false };
}

async function readPosition({ orm }: Database): Promise<SeriesNumbers> {
  const [row] = await run(orm.select({ userSourceId: samplePacking.userSourceId, series: samplePacking.series }).from(samplePacking));
  return row ?? { userSourceId: 0, series: 0 };
}

async function savePosition({ orm }: Database, position: SeriesNumbers | null): Promise<void> {
  if (position === null) await run(orm.delete(samplePacking));
  else {
    const { userSourceId, series } = position;
    const set = { userSourceId, series };
    await run(orm.insert(samplePacking).values(set).onConflictDoUpdate({ target: samplePacking.isOnly, set }));
  }
}

/** The next series that have rows, in the order of the key, each with the time of its first row. An index probe each. */
async function nextSeries({ sql }: Database, after: SeriesNumbers): Promise<readonly (Stretch & { readonly firstMs: number })[]> {
  return sql<(Stretch & { readonly firstMs: number })[]>`
    WITH RECURSIVE found AS (
      (SELECT s.user_source_id, s.series, s.ts FROM samples s
       WHERE (s.user_source_id, s.series) > (${after.userSourceId}, ${after.series}::smallint) ORDER BY s.user_source_id, s.series, s.ts LIMIT 1)
      UNION ALL
      SELECT n.* FROM found f CROSS JOIN LATERAL (
        SELECT s.user_source_id, s.series, s.ts FROM samples s
        WHERE (s.user_source_id, s.series) > (f.user_source_id, f.series) ORDER BY s.user_source_id, s.series, s.ts LIMIT 1) n
    )
    SELECT f.user_source_id AS "userSourceId", f.series, coalesce(o.user_id::text, '') AS "userId", floor(date_part('epoch', f.ts) * 1000) AS "firstMs"
    FROM (SELECT * FROM found LIMIT ${seriesAhead}) f LEFT JOIN sources o ON o.user_source_id = f.user_source_id
    ORDER BY f.user_source_id, f.series`;
}

interface Day {
  readonly day: string;
  readonly count: number;
  readonly is_plain: boolean;
}

/** Packs some days of a series from a time on; null when a writer has the user's lock. */
async function packStretch(
  tx: Tx,
  { userSourceId, series, userId }: Stretch,
  fromMs: number,
  cutoffMs: number,
  samplesPerDay: number,
): Promise<{ readonly samples: number; readonly days: number; readonly nextMs: number } | null> {
  const { sql } = tx;
  if (!(await tryLockRecords(tx, userId))) return null;
  // A time between milliseconds, or a length of weeks, does not fit a piece.
  const found = await sql<Day[]>`
    SELECT (s.ts AT TIME ZONE 'UTC')::date::text AS day, count(*)::int AS count,
      bool_and(s.ts = date_trunc('milliseconds', s.ts) AND coalesce(s.end_ts = date_trunc('milliseconds', s.end_ts)
        AND abs(date_part('epoch', s.end_ts) - date_part('epoch', s.ts)) * 1000 <= ${lengthMaxMs}, true)) AS is_plain
    FROM (
      SELECT s.ts, s.end_ts FROM samples s
      WHERE s.user_source_id = ${userSourceId} AND s.series = ${series}
        AND s.ts >= to_timestamp(${fromMs}::float8 / 1000) AND s.ts < to_timestamp(${cutoffMs}::float8 / 1000)
      ORDER BY s.ts LIMIT ${rowsAhead}) s
    GROUP BY 1 ORDER BY 1`;
  const isCut = found.reduce((sum, { count }) => sum + count, 0) === rowsAhead;
  // The last one may have more rows than were read.
  const whole = isCut && found.length > 1 ? found.slice(0, -1) : found;
  const last = whole.at(-1);
  if (last === undefined) return { samples: 0, days: 0, nextMs: cutoffMs };
  const days = whole.filter(({ count, is_plain: isPlain }) => isPlain && count >= samplesPerDay).map(({ day }) => day);
  const samples = days.length === 0 ? 0 : await packDays(tx, { userSourceId, series }, days);
  return { samples, days: days.length, nextMs: isCut ? Date.parse(`${addDays(last.day, 1)}T00:00:00Z`) : cutoffMs };
}

/** Packs whole days, with what pieces have of them already. */
async function packDays(tx: Tx, { userSourceId, series }: SeriesNumbers, days: readonly string[]): Promise<number> {
  const { sql } = tx;
  const starts = sql`unnest(${plainArray(days)}::date[])`;
  const pieces = await sql<{ ms: number }[]>`
    SELECT date_part('epoch', p.from_ts) * 1000 AS ms
    FROM ${starts} AS d(day) JOIN sample_pieces p ON p.user_source_id = ${userSourceId} AND p.series = ${series}
      AND p.from_ts >= d.day::timestamp AT TIME ZONE 'UTC' AND p.from_ts < (d.day + 1)::timestamp AT TIME ZONE 'UTC'`;
  await unpackPieces(
    tx,
    pieces.map(({ ms }) => ({ userSourceId, series, fromMs: Math.round(ms) })),
  );
  const rows = sql`
    SELECT g.*, (g.day - date '2000-01-01') * 1000 + floor((row_number() OVER (PARTITION BY g.day ORDER BY g.ts) - 1)
      * ceil(count(*) OVER (PARTITION BY g.day) / ${samplesPerPiece}::float8) / count(*) OVER (PARTITION BY g.day)) AS piece
    FROM gone g`;
  const packed = await sql<{ count: number }[]>`
    WITH gone AS (
      DELETE FROM samples s USING ${starts} AS d(day)
      WHERE s.user_source_id = ${userSourceId} AND s.series = ${series}
        AND s.ts >= d.day::timestamp AT TIME ZONE 'UTC' AND s.ts < (d.day + 1)::timestamp AT TIME ZONE 'UTC'
      RETURNING s.*, d.day)
    INSERT INTO sample_pieces (user_source_id, series, format, ${sql.unsafe(pieceColumns.join(', '))})
    SELECT k.user_source_id, k.series, ${pieceFormat}, ${sql.unsafe(pieceColumns.map((name) => `k.${name}`).join(', '))}
    FROM (${encodePieces(sql, rows)}) k RETURNING count`;
  return packed.reduce((sum, { count }) => sum + count, 0);
}
