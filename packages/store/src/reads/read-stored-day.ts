import type { Executor } from '@pulsewire/database';

/** A stored summary of a day. */
export interface StoredSummary {
  readonly id: string;
  readonly provider: string;
  readonly sourceType: string;
  /** Of the response or push that contained it. */
  readonly version: bigint;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The stored samples of a day from one source and of one series. */
export interface StoredSamples {
  readonly provider: string;
  readonly sourceType: string;
  /** Empty when the resource has no sub-kinds. */
  readonly subKind: string;
  readonly count: number;
  readonly first: Date;
  readonly last: Date;
  /** The lowest and highest versions of the responses that contained them. */
  readonly oldestVersion: bigint;
  readonly newestVersion: bigint;
}

/** A removal that covers a part of the day. */
export interface RemovedSamples {
  readonly provider: string;
  readonly sourceType: string;
  readonly version: bigint;
  readonly from: Date;
  readonly to: Date;
}

export interface StoredDay {
  readonly summaries: readonly StoredSummary[];
  readonly samples: readonly StoredSamples[];
  readonly removals: readonly RemovedSamples[];
}

export interface StoredDayQuery {
  readonly teamId: string;
  readonly userId: string;
  readonly resource: string;
  /** Local day of the user, `YYYY-MM-DD`. */
  readonly day: string;
}

const rowsMax = 200;
type Text<Name extends string> = Readonly<Record<Name, string>>;

/** The stored data of one resource on a user's day, with the versions that won. */
export async function readStoredDay(executor: Executor, query: StoredDayQuery): Promise<StoredDay> {
  return { summaries: await readSummaries(executor, query), ...(await readSeries(executor, query)) };
}

async function readSummaries({ sql }: Executor, { teamId, userId, resource, day }: StoredDayQuery): Promise<readonly StoredSummary[]> {
  // The instants of a local day lie within 14 hours of the same day in UTC.
  const rows = await sql<Text<'id' | 'provider' | 'source_type' | 'version' | 'created_at' | 'updated_at'>[]>`
    SELECT s.id, s.provider, s.source->>'type' AS source_type, s.version, s.created_at, s.updated_at FROM summaries s
    WHERE s.user_id = ${userId} AND s.team_id = ${teamId} AND s.resource = ${resource}
      AND (s.calendar_date = ${day}::date OR (s.calendar_date IS NULL
        AND s.at >= (${day}::date - interval '14 hours') AT TIME ZONE 'UTC' AND s.at < (${day}::date + interval '38 hours') AT TIME ZONE 'UTC'
        AND (s.at AT TIME ZONE 'UTC' + make_interval(secs => coalesce((s.data->>'timezone_offset')::int, 0)))::date = ${day}::date))
    UNION ALL
    SELECT w.workout_id, w.source->>'provider', w.source->>'type', w.version, w.created_at, w.updated_at
    FROM workout_streams w JOIN summaries s ON s.id = w.workout_id AND s.calendar_date = ${day}::date
    WHERE ${resource} = 'workout_stream' AND w.user_id = ${userId} AND w.team_id = ${teamId}
    ORDER BY created_at, id LIMIT ${rowsMax}`;
  return rows.map((row) => ({
    id: row.id,
    provider: row.provider,
    sourceType: row.source_type,
    version: BigInt(row.version),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  }));
}

async function readSeries({ sql }: Executor, { teamId, userId, resource, day }: StoredDayQuery): Promise<Omit<StoredDay, 'summaries'>> {
  const members = sql`
    SELECT o.user_source_id, o.provider, o.source_type, k.series, k.sub_kind FROM sources o CROSS JOIN series k
    WHERE o.user_id = ${userId} AND o.team_id = ${teamId} AND k.resource = ${resource}`;
  const [from, to] = [
    sql`(${day}::date - interval '14 hours') AT TIME ZONE 'UTC'`,
    sql`(${day}::date + interval '38 hours') AT TIME ZONE 'UTC'`,
  ];
  const samples = await sql<
    Text<'provider' | 'source_type' | 'sub_kind' | 'count' | 'first' | 'last' | 'oldest_version' | 'newest_version'>[]
  >`
    SELECT m.provider, m.source_type, m.sub_kind, count(*) AS count, min(s.ts) AS first, max(s.ts) AS last,
      min(s.version) AS oldest_version, max(s.version) AS newest_version
    FROM (${members}) m CROSS JOIN LATERAL stored_samples(m.user_source_id, m.series, ${from}, ${to}) s
    WHERE (s.ts AT TIME ZONE 'UTC' + make_interval(secs => coalesce(s.tz_offset, 0)))::date = ${day}::date
    GROUP BY m.provider, m.source_type, m.sub_kind ORDER BY m.provider, m.source_type, m.sub_kind LIMIT ${rowsMax}`;
  const removals = await sql<Text<'provider' | 'source_type' | 'version' | 'from_ts' | 'to_ts'>[]>`
    SELECT m.provider, m.source_type, r.version, r.from_ts, r.to_ts
    FROM (${members}) m JOIN sample_receipts r ON r.user_source_id = m.user_source_id AND r.series = m.series
    WHERE r.is_removal AND r.to_ts >= ${day}::date::timestamp AT TIME ZONE 'UTC' AND r.from_ts < (${day}::date + 1)::timestamp AT TIME ZONE 'UTC'
    ORDER BY r.version LIMIT ${rowsMax}`;
  return {
    samples: samples.map((row) => ({
      provider: row.provider,
      sourceType: row.source_type,
      subKind: row.sub_kind,
      count: Number(row.count),
      first: new Date(row.first),
      last: new Date(row.last),
      oldestVersion: BigInt(row.oldest_version),
      newestVersion: BigInt(row.newest_version),
    })),
    removals: removals.map((row) => ({
      provider: row.provider,
      sourceType: row.source_type,
      version: BigInt(row.version),
      from: new Date(row.from_ts),
      to: new Date(row.to_ts),
    })),
  };
}
