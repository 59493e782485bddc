import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { Change, PersonDay, Sleep } from '../kit/person/types.ts';
import { snapshotsOf } from './snapshots.ts';
import {
  activityDetailOf,
  activityOf,
  bloodPressuresOf,
  bodyCompsOf,
  dailyOf,
  epochsOf,
  hrvOf,
  manualSleepsOf,
  pulseOxOf,
  respirationOf,
  skinTempOf,
  sleepOf,
  stressOf,
  userMetricsOf,
  type Summary,
} from './summaries.ts';

/** A kind of summary: its key in bodies, its name in requests for history, and its summaries of a day. */
export interface Kind {
  readonly key: string;
  readonly backfill: string;
  readonly scope: 'HEALTH_EXPORT' | 'ACTIVITY_EXPORT';
  /** Days that one request for history may cover. */
  readonly daysMax: number;
  readonly change: Change['kind'];
  /** Set in the portal: the body contains a URL instead of the data. */
  readonly isPinged: boolean;
  of(account: SimAccount, day: PersonDay): readonly Summary[];
}

const nightly = (of: (account: SimAccount, day: PersonDay, sleep: Sleep) => readonly Summary[]): Kind['of'] => {
  return (account, day) => day.sleeps.flatMap((sleep) => of(account, day, sleep));
};
const health = { scope: 'HEALTH_EXPORT', daysMax: 90, isPinged: false } as const;
const sport = { scope: 'ACTIVITY_EXPORT', daysMax: 30, isPinged: false, change: 'workout' } as const;

/** Every kind with data of this person; `moveiq` and `mct` are accepted and never sent. */
export const kinds: readonly Kind[] = [
  {
    ...health,
    key: 'dailies',
    backfill: 'dailies',
    change: 'activity',
    of: (account, day) => (day.startMs < account.person.syncedMs() ? [dailyOf(account, day)] : []),
  },
  { ...health, key: 'epochs', backfill: 'epochs', change: 'activity', of: epochsOf },
  { ...health, key: 'stressDetails', backfill: 'stressDetails', change: 'activity', of: stressOf },
  { ...health, key: 'healthSnapshot', backfill: 'healthSnapshot', change: 'activity', of: snapshotsOf },
  { ...health, key: 'userMetrics', backfill: 'userMetrics', change: 'activity', of: userMetricsOf },
  {
    ...health,
    key: 'sleeps',
    backfill: 'sleeps',
    change: 'sleep',
    of: (account, day) => [...day.sleeps.map((sleep) => sleepOf(account, day, sleep)), ...manualSleepsOf(account, day)],
  },
  { ...health, key: 'hrv', backfill: 'hrv', change: 'sleep', of: nightly(hrvOf) },
  { ...health, key: 'allDayRespiration', backfill: 'respiration', change: 'sleep', of: nightly(respirationOf) },
  { ...health, key: 'pulseox', backfill: 'pulseOx', change: 'sleep', of: nightly(pulseOxOf) },
  { ...health, key: 'skinTemp', backfill: 'skinTemp', change: 'sleep', isPinged: true, of: nightly(skinTempOf) },
  { ...health, key: 'bodyComps', backfill: 'bodyComps', change: 'body', of: bodyCompsOf },
  { ...health, key: 'bloodPressures', backfill: 'bloodPressures', change: 'blood_pressure', of: bloodPressuresOf },
  {
    ...sport,
    key: 'activities',
    backfill: 'activities',
    of: (account, day) => day.workouts.map((workout) => activityOf(account, workout)),
  },
  {
    ...sport,
    key: 'activityDetails',
    backfill: 'activityDetails',
    of: (account, day) => day.workouts.map((workout) => activityDetailOf(account, workout)),
  },
];

export const silentKinds: readonly string[] = ['moveiq', 'mct'];
