import type { Quarantined, WorkoutStream } from '@pulsewire/contract';
import { readFitMessages, type FitFields } from './fit.ts';
import { fieldsOf, fitSeconds } from './fit-fields.ts';
import { readFitSessions, type SessionFigure } from './fit-sessions.ts';
import { readFitStream } from './fit-stream.ts';

/** The data of a FIT file about a workout, in our units; null for unknown values. */
export interface FitWorkout {
  readonly startMs: number | null;
  readonly elapsedSeconds: number | null;
  readonly movingSeconds: number | null;
  /** Seconds east of UTC. */
  readonly offset: number | null;
  /** When the file has sessions of several sports. */
  readonly sport: 'multisport' | null;
  readonly figures: Readonly<Record<FitFigure, number | null>>;
  /** Null when there is no record with a time. */
  readonly data: WorkoutStream['data'] | null;
}

export type FitFigure = SessionFigure | 'elev_high' | 'elev_low';

const offsetSecondsMax = 14 * 3600;
/** All offsets of the world are multiples of it; a device's two clocks may differ by a second more or less. */
const offsetStep = 900;
/** A ride of several days with pauses still fits; a clock that was never set does not. */
const clockErrorMsMax = 7 * 86_400_000;

function highestAndLowest(data: WorkoutStream['data'] | null): Pick<FitWorkout['figures'], 'elev_high' | 'elev_low'> {
  const heights = (data?.altitude ?? []).filter((value) => value !== null);
  if (heights.length === 0) return { elev_high: null, elev_low: null };
  return { elev_high: heights.reduce((a, b) => Math.max(a, b)), elev_low: heights.reduce((a, b) => Math.min(a, b)) };
}

/** The difference of the device's two clocks; undefined when it is none of the world's offsets. */
function readOffset(activity: FitFields): number | null | undefined {
  const local = activity.get(fieldsOf.activity.localTime);
  // Devices without a zone write 0.
  if (local === undefined || local === 0) return null;
  const [utcSeconds, localSeconds] = [fitSeconds(activity), fitSeconds(activity, fieldsOf.activity.localTime)];
  if (utcSeconds === null || localSeconds === null) return undefined;
  const difference = localSeconds - utcSeconds;
  return Math.abs(difference) <= offsetSecondsMax ? Math.round(difference / offsetStep) * offsetStep : undefined;
}

/**
 * Reads the FIT file of a workout that the provider lists at `listedMs`; undefined when the bytes are no FIT file, which is quarantined,
 * as is what cannot be read in a file or contradicts the list: the list decides when the workout was.
 */
export function readFitWorkout(bytes: Buffer, listedMs: number, quarantined: Quarantined[]): FitWorkout | undefined {
  const messages = readFitMessages(bytes);
  const setAside = (reason: string, part = '') => {
    quarantined.push({ resource: 'workout_stream', reason, pointer: `/file${part}` });
  };
  if (!messages) {
    setAside('unknown_shape');
    return undefined;
  }
  if (messages.damage) setAside(messages.damage.reason, `/${messages.damage.at}`);
  const { data, hasBadTimes } = readFitStream(messages.records);
  const offset = readOffset(messages.activities[0] ?? new Map<number, number>());
  const starts = messages.sessions.flatMap((session) => fitSeconds(session, fieldsOf.session.start) ?? []);
  const startSeconds = starts.length > 0 ? starts.reduce((a, b) => Math.min(a, b)) : (data?.time[0] ?? null);
  const isNear = (seconds: number) => Math.abs(seconds * 1000 - listedMs) <= clockErrorMsMax;
  const isDataNear = data === null || isNear(data.time[0] as number);
  if (hasBadTimes || !isDataNear) setAside('bad_time', '/records');
  if (startSeconds !== null && !isNear(startSeconds)) setAside('bad_time', '/session');
  if (offset === undefined) setAside('bad_time', '/activity');
  const { figures, ...sessions } = readFitSessions(messages.sessions);
  return {
    ...sessions,
    startMs: startSeconds !== null && isNear(startSeconds) ? startSeconds * 1000 : null,
    offset: offset ?? null,
    figures: { ...figures, ...highestAndLowest(data) },
    data: isDataNear ? data : null,
  };
}
