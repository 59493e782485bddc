import { brotliDecompressSync } from 'node:zlib';
import { isRawResource, unpackStream } from '@pulsewire/contract';
import type { Database } from '@pulsewire/database';

export interface StoredSummary {
  readonly resource: string;
  readonly source_type: string;
  readonly calendar_date: string | null;
  readonly at_ms: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StoredSample {
  readonly resource: string;
  readonly sub_kind: string;
  readonly source_type: string;
  readonly ts_ms: number;
  readonly end_ms: number | null;
  readonly value: number | null;
  readonly value2: number | null;
  readonly tz_offset: number | null;
}

/** From `fromMs` on, by `at`, and what has no time, such as a profile. */
export async function summariesOf({ sql }: Database, userId: string, fromMs = -Infinity): Promise<readonly StoredSummary[]> {
  const rows = await sql<StoredSummary[]>`
    SELECT resource, source->>'type' AS source_type, calendar_date::text, date_part('epoch', at) * 1000 AS at_ms, data
    FROM summaries WHERE user_id = ${userId} AND (at = to_timestamp(0) OR date_part('epoch', at) * 1000 >= ${fromMs}::float8)
    ORDER BY resource, at, source_type, data::text`;
  return rows.map((row) => ({ ...row, at_ms: Math.round(row.at_ms) }));
}

export async function samplesOf({ sql }: Database, userId: string, fromMs = -Infinity): Promise<readonly StoredSample[]> {
  const rows = await sql<StoredSample[]>`
    SELECT resource, sub_kind, source_type, date_part('epoch', ts) * 1000 AS ts_ms, date_part('epoch', end_ts) * 1000 AS end_ms, value, value2, tz_offset
    FROM all_samples JOIN sources USING (user_source_id) JOIN series USING (series)
    WHERE user_id = ${userId} AND date_part('epoch', ts) * 1000 >= ${fromMs}::float8
    ORDER BY resource, sub_kind, source_type, ts`;
  const ms = (value: number | null) => (value === null ? null : Math.round(value));
  return rows.map((row) => ({ ...row, ts_ms: Math.round(row.ts_ms), end_ms: ms(row.end_ms) }));
}

/** The tracks of workouts. */
export async function streamsOf({ sql }: Database, userId: string, fromMs = -Infinity) {
  const rows = await sql<{ packed: Buffer }[]>`
    SELECT packed FROM workout_streams s LEFT JOIN summaries w ON w.id = workout_id
    WHERE s.user_id = ${userId} AND coalesce(date_part('epoch', at) * 1000, 'Infinity') >= ${fromMs}::float8 ORDER BY s.provider_id`;
  return rows.map(({ packed }) => unpackStream(packed));
}

// Ids are derived from the user's id, so they differ between two users of one account.
const idsIn = new Set(['id', 'sleep_id', 'user_id']);
const withoutIds = (data: Readonly<Record<string, unknown>>) => Object.fromEntries(Object.entries(data).filter(([key]) => !idsIn.has(key)));

/** Everything stored for a user from `fromMs` on, one line each, without the values that differ between users. */
export async function linesOf(database: Database, userId: string, fromMs = -Infinity): Promise<readonly string[]> {
  const summaries = (await summariesOf(database, userId, fromMs)).map((row) => JSON.stringify({ ...row, data: withoutIds(row.data) }));
  const samples = (await samplesOf(database, userId, fromMs)).map((row) => JSON.stringify(row));
  return [...summaries, ...samples, ...(await streamsOf(database, userId, fromMs)).map((data) => JSON.stringify(data))];
}

interface Stored {
  readonly summaries: readonly StoredSummary[];
  readonly samples: readonly StoredSample[];
}

/** A short digest of a user's stored data: number, first and last item of each series and kind of summary. */
export async function digestOf(database: Database, userId: string, stored: Stored): Promise<unknown> {
  const shorten = <T>(items: readonly T[]) => ({ count: items.length, first: items[0], last: items.at(-1) });
  const summaries = Map.groupBy(stored.summaries, ({ resource }) => resource);
  const samples = Map.groupBy(stored.samples, ({ resource, sub_kind: subKind }) => `${resource} ${subKind}`.trim());
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    summaries: Object.fromEntries(
      [...summaries].map(([resource, rows]) => [
        resource,
        shorten(rows.map(({ at_ms: at, data, ...row }) => ({ ...row, at: time(at), data: withoutIds(data) }))),
      ]),
    ),
    samples: Object.fromEntries(
      [...samples].map(([series, rows]) => [
        series,
        shorten(rows.map(({ ts_ms: ts, end_ms: end, ...row }) => ({ ...row, ts: time(ts), end: time(end) }))),
      ]),
    ),
    streams: (await streamsOf(database, userId)).length,
  };
}

/** The quarantined values of a connection's responses. */
export async function quarantinedOf({ sql }: Database, connectionId: string) {
  return sql<{ resource: string; reason: string; pointer: string }[]>`
    SELECT resource, reason, pointer FROM quarantine WHERE connection_id = ${connectionId} ORDER BY resource, pointer LIMIT 50`;
}

export async function eventsOf({ sql }: Database, userId: string, pattern: string): Promise<readonly string[]> {
  const rows = await sql<{ event_type: string }[]>`
    SELECT event_type FROM log_events WHERE user_id = ${userId} AND event_type LIKE ${pattern} ORDER BY "offset"`;
  return rows.map((row) => row.event_type);
}

/** Everything readable without a key of a provider's responses in the vault: columns, and bodies as stored and decompressed. */
export async function readableVaultOf({ sql }: Database, slug: string): Promise<string> {
  const rows = await sql<{ body: Buffer }[]>`SELECT * FROM raw_answers WHERE provider = ${slug}`;
  const texts = rows.map(({ body, ...columns }) => {
    const kept = `${JSON.stringify(columns)}\n${body.toString('latin1')}`;
    try {
      return `${kept}\n${brotliDecompressSync(body).toString('latin1')}`;
    } catch {
      return kept;
    }
  });
  return texts.join('\n');
}

/** Undefined for a connection that was removed. */
export async function statusOf({ sql }: Database, connectionId: string) {
  const [row] = await sql<{ status: string; error_type: string | null }[]>`
    SELECT status, error_type FROM connections WHERE connection_id = ${connectionId}`;
  return row;
}

/** Windows of a connection's pulls. */
export function windowsOf(
  database: Database,
  connectionId: string,
): Promise<{ readonly lane: string; readonly state: string; readonly error_code: string | null; readonly pull: string }[]> {
  return database.sql`SELECT lane, state, error_code, pull FROM pull_windows WHERE connection_id = ${connectionId}`;
}

/** The kinds of summaries of which some have no raw form although it can be read. */
export async function withoutRawOf({ sql }: Database, userId: string): Promise<readonly string[]> {
  const rows = await sql<{ resource: string }[]>`
    SELECT DISTINCT resource FROM summaries LEFT JOIN raw_entries ON summary_id = id
    WHERE summaries.user_id = ${userId} AND summary_id IS NULL ORDER BY resource`;
  return rows.map(({ resource }) => resource).filter(isRawResource);
}
