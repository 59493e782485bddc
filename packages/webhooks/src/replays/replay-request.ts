import { AppError, type ErrorCode } from '@pulsewire/kernel';
import { isEventType, type CreateReplayBody } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';
import { allChecks } from '../model/checks.ts';

/** Selects the events that a replay sends to an endpoint. */
export interface ReplayRequest {
  /** Both inclusive, by the time of the log. */
  readonly since: Date;
  /** null: now. */
  readonly until: Date | null;
  readonly userId: string | null;
  /** A subset of the types that the endpoint receives; null: all of them. */
  readonly eventTypes: readonly string[] | null;
  readonly selection: CreateReplayBody['selection'];
}

const refuse = (code: ErrorCode, message: string): AppError => new AppError({ code, kind: 'invalid', message });

/** The earliest start of a range; an earlier time is usually the zero value of a client's date type. */
export const earliestSince = new Date('1970-01-01T00:00:00Z');

/**
 * Validates the request and sets its end, which is never in the future, so that every replay ends. Throws AppErrors `replay_since_invalid`,
 * `replay_range_invalid`, `replay_types_unknown`; `endpoint_refused` with all of them when several fields are invalid.
 */
export function checkRequest(request: ReplayRequest, now: Date): ReplayRequest & { readonly until: Date } {
  return {
    ...request,
    ...allChecks({ since: () => checkSince(request.since), until: () => checkUntil(request, now), eventTypes: () => checkTypes(request) }),
  };
}

function checkSince(since: Date): Date {
  if (!(since >= earliestSince)) throw refuse('replay_since_invalid', 'The range must not begin before 1970-01-01T00:00:00Z');
  return since;
}

function checkUntil({ since, until }: ReplayRequest, now: Date): Date {
  const end = until === null || until > now ? now : until;
  if (!(end >= since)) throw refuse('replay_range_invalid', 'The range must not end before it begins');
  return end;
}

function checkTypes({ eventTypes }: ReplayRequest): readonly string[] | null {
  if (eventTypes === null || eventTypes.length === 0) return null;
  if (!eventTypes.every(isEventType)) throw refuse('replay_types_unknown', 'Every entry must be an event type that exists');
  return [...new Set(eventTypes)];
}

/** The clock that stamps the log: another clock's "now" could miss the newest events. */
export async function readLogTime({ sql }: Executor): Promise<Date> {
  const [row] = await sql<{ now: string }[]>`SELECT clock_timestamp() AS now`;
  return new Date(row?.now ?? Number.NaN);
}
