import { plainArray, textArray, type Executor } from '@pulsewire/database';
import { stateChangesOf, stateEventTypes } from '../records/state-topics.ts';
import type { topicNames } from '../records/topics.ts';

const pageMax = 1000;

/**
 * Adds to `newest` the last offset in a shard at which each key of the compacted topics was set or ended, for these users and from this
 * offset on. Its names have the form topic, line feed, key.
 */
export async function addNewestOffsets(
  { sql }: Executor,
  where: {
    readonly shard: number;
    readonly users: readonly string[];
    readonly from: number;
    readonly names: ReturnType<typeof topicNames>;
  },
  newest: Map<string, number>,
): Promise<void> {
  const { shard, users, names } = where;
  let { from } = where;
  for (let isFull = users.length > 0; isFull;) {
    const rows = await sql<{ offset: string; event_type: string; user_id: string; json: string }[]>`
      SELECT "offset", event_type, user_id, json FROM log_events
      WHERE shard = ${shard} AND "offset" >= ${from} AND user_id = ANY(${plainArray(users)}::uuid[])
        AND event_type = ANY(${textArray(stateEventTypes)}::text[]) AND json IS NOT NULL
      ORDER BY "offset" LIMIT ${pageMax}`;
    for (const { offset, event_type: eventType, user_id: userId, json } of rows) {
      for (const { topic, key } of stateChangesOf({ eventType, userId }, parsed(json), names))
        newest.set(`${topic}\n${key}`, Math.max(Number(offset), newest.get(`${topic}\n${key}`) ?? -1));
      from = Number(offset) + 1;
    }
    isFull = rows.length === pageMax;
  }
}

/** An event that is not JSON changes no state, because it cannot be published. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}
