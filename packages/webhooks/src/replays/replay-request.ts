import { AppError } from '@pulsewire/kernel';
import { isEventType, type CreateReplayBody } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';

/** Which of a team's events are to go to an endpoint again, or for the first time. */
export interface ReplayRequest {
  /** Both inclusive, by the time of the log. */
  readonly since: Date;
  /** null: now. */
  readonly until: Date | null;
  readonly userId: string | null;
  /** Of those that the endpoint takes; null: all of them. */
  readonly eventTypes: readonly string[] | null;
  readonly selection: CreateReplayBody['selection'];
}

const refuse = (code: string, message: string): AppError => new AppError({ code, kind: 'invalid', message });

/** The request with its end: never in the future, so that a replay comes to one. Throws AppErrors `replay_range_invalid`, `replay_types_unknown`. */
export function checkRequest(request: ReplayRequest, now: Date): ReplayRequest & { readonly until: Date } {
  const until = request.until === null || request.until > now ? now : request.until;
  if (until < request.since) throw refuse('replay_range_invalid', 'The range must not end before it begins');
  const eventTypes = request.eventTypes === null || request.eventTypes.length === 0 ? null : [...new Set(request.eventTypes)];
  if (eventTypes !== null && !eventTypes.every(isEventType))
    throw refuse('replay_types_unknown', 'Every entry must be an event type that exists');
  return { ...request, until, eventTypes };
}

/** The clock that stamps the log: "now" by another one would miss what was written last. */
export async function readLogTime({ sql }: Executor): Promise<Date> {
  const [row] = await sql<{ now: string }[]>`SELECT clock_timestamp() AS now`;
  return new Date(row?.now ?? Number.NaN);
}
