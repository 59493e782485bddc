import { uuidToBase62 } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { attemptOutcomes } from '@pulsewire/webhooks';
import type { Witness } from './witness.ts';

export interface Comparison {
  /** Committed events, read from the log's rows. */
  readonly committed: number;
  readonly lost: number;
  /** Deliveries of events that are not committed. Must be 0. */
  readonly unknown: number;
  /** Stored samples and summaries that differ from the deliveries, in either direction. */
  readonly differingRows: number;
  readonly rows: number;
  /** How often an event was accepted again. */
  readonly repeats: Repeats;
  /** Connections in error although every account consents: false revocations. */
  readonly brokenConnections: number;
}

/** Why events were accepted more than once. */
export interface Repeats {
  /** The receiver had responded, but the process died before it recorded the response: the only allowed repeat. */
  readonly unrecorded: number;
  /** Both responses are recorded: the second attempt was made although the first response was known, or while the first was in progress. */
  readonly recordedTwice: number;
  /**
   * Of these, those whose earlier response was recorded only after the later attempt had begun: nobody could know it. 0 on a server without
   * `track_commit_timestamp`.
   */
  readonly recordedLate: number;
}

/** Message ids of the events in the log. Events without a user are about deliveries and go only to endpoints that subscribe to them. */
export async function readCommitted({ sql }: Database): Promise<ReadonlySet<string>> {
  const events = await sql<{ event_id: string }[]>`SELECT event_id FROM log_events WHERE user_id IS NOT NULL`;
  return new Set(events.map((event) => `msg_${uuidToBase62(event.event_id)}`));
}

/** Compares the deliveries with what is committed, not with what was generated. */
export async function compare(database: Database, witness: Witness, endpointId?: string): Promise<Comparison> {
  const committed = await readCommitted(database);
  const lost = [...committed].filter((id) => !witness.sightings.has(id)).length;
  const unknown = [...witness.sightings.keys()].filter((id) => !committed.has(id)).length;

  const { samples, summaries } = witness.rebuild();
  const storedSamples = await database.sql<{ key: string; value: number }[]>`
    SELECT o.user_id || ' ' || k.resource || ' ' || o.source_type || ' ' || (date_part('epoch', s.ts) * 1000)::bigint AS key, s.value
    FROM all_samples s JOIN sources o USING (user_source_id) JOIN series k USING (series)`;
  const storedSummaries = await database.sql<
    { key: string; value: number }[]
  >`SELECT id AS key, floor(date_part('epoch', updated_at) * 1000) AS value FROM summaries`;
  const [broken] = await database.sql<{ count: number }[]>`SELECT count(*)::int AS count FROM connections WHERE status <> 'connected'`;
  return {
    repeats: await classify(database, witness, endpointId),
    brokenConnections: broken?.count ?? 0,
    committed: committed.size,
    lost,
    unknown,
    differingRows: differences(samples, storedSamples) + differences(summaries, storedSummaries),
    rows: storedSamples.length + storedSummaries.length,
  };
}

function differences(rebuilt: ReadonlyMap<string, number>, stored: readonly { key: string; value: number }[]): number {
  const different = stored.filter((row) => rebuilt.get(row.key) !== row.value).length;
  const keys = new Set(stored.map((row) => row.key));
  return different + [...rebuilt.keys()].filter((key) => !keys.has(key)).length;
}

/** Compares each repeat with our record: an unrecorded response explains the next attempt, a recorded one does not. */
async function classify({ sql }: Database, witness: Witness, endpointId?: string): Promise<Repeats> {
  const rows = await sql<{ event_id: string; recorded: number; late: number }[]>`
    SELECT event_id, count(*)::int AS recorded, count(*) FILTER (WHERE ended_at <= attempted_at AND recorded_at > attempted_at)::int AS late
    FROM (
      SELECT event_id, attempted_at, lag(attempted_at + duration_ms * interval '1 ms') OVER earlier AS ended_at,
        lag(CASE WHEN current_setting('track_commit_timestamp')::boolean THEN pg_xact_commit_timestamp(xmin) END) OVER earlier AS recorded_at
      FROM webhook_attempts
      WHERE outcome = ${attemptOutcomes.delivered} AND (${endpointId ?? null}::uuid IS NULL OR endpoint_id = ${endpointId ?? null}::uuid)
      WINDOW earlier AS (PARTITION BY endpoint_id, event_id ORDER BY attempted_at)) attempts
    GROUP BY event_id`;
  const recorded = new Map(rows.map((row) => [`msg_${uuidToBase62(row.event_id)}`, row.recorded]));
  let [unrecorded, recordedTwice] = [0, 0];
  for (const [id, { count }] of witness.sightings) {
    const twice = Math.max(0, (recorded.get(id) ?? 0) - 1);
    recordedTwice += twice;
    unrecorded += Math.max(0, count - 1 - twice);
  }
  return { unrecorded, recordedTwice, recordedLate: rows.reduce((sum, { late }) => sum + late, 0) };
}

/** The first messages that were accepted again after a recorded response, with the time and duration of each attempt. */
export async function describeRepeats({ sql }: Database): Promise<readonly string[]> {
  const rows = await sql<{ event_id: string; shard: number; attempts: string }[]>`
    SELECT event_id, shard, string_agg(to_char(attempted_at, 'HH24:MI:SS.MS') || ' for ' || duration_ms || ' ms', ', ' ORDER BY attempted_at) AS attempts
    FROM webhook_attempts WHERE outcome = ${attemptOutcomes.delivered} GROUP BY endpoint_id, event_id, shard HAVING count(*) > 1 LIMIT 10`;
  return rows.map(({ event_id: id, shard, attempts }) => `${id} of shard ${shard} was taken again: ${attempts}`);
}
