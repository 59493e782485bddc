import { exampleDataJson, exampleUser, findLifecycleEvent } from '@pulsewire/contract';
import { plainArray, type Executor } from '@pulsewire/database';
import type { EventHeader, LogEvent } from '@pulsewire/eventlog';

/** The shard number of test events. They are not in the log, where every endpoint would receive them. */
export const testShard = -1;

interface Row {
  event_id: string;
  team_id: string;
  event_type: string;
  created_at: string;
}

/** A test event belongs to no real user, so it has the user of the contract's examples. */
const hasUser = (eventType: string): boolean => findLifecycleEvent(eventType)?.hasUser ?? true;

function toEvent({ event_id: eventId, team_id: teamId, event_type: eventType, created_at: createdAt }: Row): LogEvent {
  const user = hasUser(eventType) ? exampleUser : { userId: null, clientUserId: null };
  return {
    eventId,
    eventType,
    teamId,
    ...user,
    origin: 'live',
    body: { kind: 'json', json: exampleDataJson(eventType) ?? '{}' },
    traceId: null,
    shard: testShard,
    offset: 0,
    day: createdAt.slice(0, 10),
    writtenAt: Date.parse(createdAt),
  };
}

/** Loads test events by id for the dispatcher, with the contract's example as data. */
export async function readTestEvents({ sql }: Executor, eventIds: readonly string[]): Promise<ReadonlyMap<string, LogEvent>> {
  if (eventIds.length === 0) return new Map();
  const rows = await sql<Row[]>`
    SELECT event_id, team_id, event_type, created_at FROM webhook_test_events WHERE event_id = ANY(${plainArray(eventIds)}::uuid[])`;
  return new Map(rows.map((row) => [row.event_id, toEvent(row)]));
}

/** The header of a team's test event. */
export async function findTestEvent(executor: Executor, teamId: string, eventId: string): Promise<EventHeader | undefined> {
  const event = (await readTestEvents(executor, [eventId])).get(eventId);
  return event?.teamId === teamId ? { ...event, isErased: false } : undefined;
}
