import { uuidToBase62, uuidv7 } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { jsonEvent, withEvents, type NewEvent } from '@pulsewire/eventlog';
import { attemptOutcomes, type AttemptOutcome } from '@pulsewire/webhooks';

type Fields = Partial<Parameters<typeof jsonEvent>[0]>;

export const sleepCreated = 'daily.data.sleep.created';
export const stepsCreated = 'daily.data.steps.created';

/** The `webhook-id` of an event. */
export const messageId = ({ eventId }: { readonly eventId: string }): string => `msg_${uuidToBase62(eventId)}`;

/** Commits events of a team in one transaction, each for a new user unless `fields` sets one. */
export async function commitEvents(database: Database, teamId: string, count: number, fields: Fields = {}): Promise<NewEvent[]> {
  const events = Array.from({ length: count }, (_, number) =>
    jsonEvent({ eventType: sleepCreated, teamId, userId: uuidv7(), clientUserId: 'someone', data: { number, share: 0.1 }, ...fields }),
  );
  await withEvents(database, async (_tx, emit) => events.forEach(emit));
  return events;
}

/** Changes only the write time of events. */
export async function backdate(database: Database, events: readonly NewEvent[], writtenAt: Date): Promise<void> {
  for (const { eventId } of events)
    await database.sql`UPDATE log_events SET written_at = ${writtenAt.getTime()} WHERE event_id = ${eventId}`;
}

export interface AttemptFacts {
  readonly outcome: AttemptOutcome;
  readonly at?: Date;
  readonly attempt?: number;
  readonly status?: number | null;
  readonly error?: string | null;
  readonly durationMs?: number;
}

/** A row of the delivery log, as a dispatcher writes it. */
export async function recordAttempt(database: Database, endpointId: string, { eventId }: NewEvent, facts: AttemptFacts): Promise<void> {
  const { outcome, at = new Date(), attempt = 1, status = outcome === 'delivered' ? 200 : 503, error = null, durationMs = 12 } = facts;
  await database.sql`
    INSERT INTO webhook_attempts (day, endpoint_id, attempted_at, event_id, shard, "offset", log_day, attempt, outcome, status, duration_ms, error, event_type)
    SELECT ${at.toISOString().slice(0, 10)}, ${endpointId}, ${at.toISOString()}, event_id, shard, "offset", day, ${attempt}, ${attemptOutcomes[outcome]}, ${status},
           ${durationMs}, ${error}, event_type
    FROM log_events WHERE event_id = ${eventId}`;
}

/** A message that waits for its next attempt. */
export async function makeWait(
  database: Database,
  endpointId: string,
  { eventId }: NewEvent,
  attempts: number,
  dueAt: Date,
): Promise<void> {
  await database.sql`
    INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at, user_id, event_type)
    SELECT ${endpointId}, event_id, shard, "offset", day, ${attempts}, ${dueAt.toISOString()}, user_id, event_type
    FROM log_events WHERE event_id = ${eventId}`;
}

/** The invalid fields of a 422, as `location type`. */
export const failing = (reply: { readonly body: { readonly detail: readonly { loc: (string | number)[]; type: string }[] } }): string[] =>
  reply.body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`);
