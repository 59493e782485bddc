import { hourMs, minuteMs } from '@pulsewire/kernel';
import type { Connector, PullSpec } from '@pulsewire/providers';

const pollMs = 15 * minuteMs;
/** Where the provider notifies, polling finds what was lost on the way. */
const pollBehindPushMs = hourMs;
/** Poll interval for data that notifications announce, once the first one has arrived. */
const pollAnnouncedMs = 3 * hourMs;
/** Notifications that stopped more than a week ago may be lost; people who do not wear their device for days cost no more than others. */
const provenForMs = 7 * 24 * hourMs;
const profileMs = 24 * hourMs;
/** Polls vary by a tenth, and a pull that is due in a moment is read with the others. */
const toleranceShare = 0.2;

/** How far the polls of one pull have come. */
export interface PollState {
  /** When a poll planned it last. */
  readonly polledAt: string | null;
  /** When a poll last planned all the days that it reads again. */
  readonly rereadAt: string | null;
}

/** Time between two polls of a connection. */
export function pollEveryMs({ pollEveryMs: declared, push }: Pick<Connector, 'pollEveryMs' | 'push'>): number {
  return declared ?? (push ? pollBehindPushMs : pollMs);
}

/** A time after `now` was recorded by a clock that was ahead. */
function isPast(at: string | null, everyMs: number, now: Date): boolean {
  const elapsedMs = at === null ? everyMs : now.getTime() - Date.parse(at);
  return elapsedMs < 0 || elapsedMs >= everyMs * (1 - toleranceShare);
}

/**
 * Time between two polls of one pull. `noticedAt`: when the last notification for the connection arrived, if one has. A subscription that
 * the provider has accepted may still never notify, so only notifications that arrived make polls rarer.
 */
function pullEveryMs(connector: Connector, pull: PullSpec, noticedAt: string | null, now: Date): number {
  const everyMs = pull.pollEveryMs ?? (isProfile(pull) ? profileMs : pollEveryMs(connector));
  const isProven = noticedAt !== null && now.getTime() - Date.parse(noticedAt) < provenForMs;
  const isAnnounced = pull.collections.length > 0 && pull.pollEveryMs === undefined;
  return isProven && isAnnounced ? Math.max(everyMs, pollAnnouncedMs) : everyMs;
}

/** A height or a name changes once in years. */
const isProfile = ({ resources }: PullSpec): boolean => resources.every((resource) => resource === 'profile');

/** Whether each poll of its connection includes this pull, so that nobody asks when it was polled last. */
export function isInEveryPoll(connector: Connector, pull: PullSpec, noticedAt: string | null, now: Date): boolean {
  return pullEveryMs(connector, pull, noticedAt, now) <= pollEveryMs(connector);
}

/** Whether a poll of its connection now includes this pull. Each poll includes those that are polled as often as their connection. */
export function isPullDue(connector: Connector, pull: PullSpec, state: PollState, noticedAt: string | null, now: Date): boolean {
  return isInEveryPoll(connector, pull, noticedAt, now) || isPast(state.polledAt, pullEveryMs(connector, pull, noticedAt, now), now);
}

/**
 * Whether a poll reads all the days that this pull reads again, or only the last one. Devices that were away for days and revisions are
 * rare, and often each day is a call of its own.
 */
export function isRereadDue(state: PollState, now: Date): boolean {
  return isPast(state.rereadAt, pollAnnouncedMs, now);
}
