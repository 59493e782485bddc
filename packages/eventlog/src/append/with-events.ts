import type { Database, Tx } from '@pulsewire/database';
import { uuidv7 } from '@pulsewire/kernel';
import { announce } from './announce.ts';
import { appendEvents } from './append.ts';
import { ensureGenerationOnce } from '../generation/ensure-generation.ts';
import type { EventOrigin, NewEvent } from '../model/types.ts';

export type Emit = (event: NewEvent) => void;

/**
 * The only way to write data with events: runs `work` in a transaction, appends its emitted events as the last statement, commits, and
 * wakes the readers. A throw rolls everything back, including the events.
 */
export async function withEvents<T>(database: Database, work: (tx: Tx, emit: Emit) => Promise<T>): Promise<T> {
  await ensureGenerationOnce(database);
  let hasEvents = false;
  const result = await database.transaction(async (tx) => {
    const events: NewEvent[] = [];
    const value = await work(tx, (event) => events.push(event));
    hasEvents = events.length > 0;
    await appendEvents(tx, events);
    return value;
  });
  if (hasEvents) announce(database);
  return result;
}

/** An event with a fresh id whose `data` is given as an object. */
export function jsonEvent(event: {
  readonly eventType: string;
  readonly teamId: string;
  readonly userId: string | null;
  readonly clientUserId: string | null;
  readonly data: object;
  readonly origin?: EventOrigin;
  readonly traceId?: string | null;
  readonly eventId?: string;
}): NewEvent {
  return {
    eventId: event.eventId ?? uuidv7(),
    eventType: event.eventType,
    teamId: event.teamId,
    userId: event.userId,
    clientUserId: event.clientUserId,
    origin: event.origin ?? 'live',
    traceId: event.traceId ?? null,
    body: { kind: 'json', json: JSON.stringify(event.data) },
  };
}
