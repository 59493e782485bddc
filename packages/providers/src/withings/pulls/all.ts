import { profileDefaults } from '../../kit/pull-presets.ts';
import { innerDays, samplesInside, summariesOn } from '../../kit/records/complete-ranges.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readService } from '../call.ts';
import { activityFields, mapActivity } from '../mappers/map-activity.ts';
import { mapProfile, measureTypes, mapMeasures } from '../mappers/map-measures.ts';
import { mapWorkouts, workoutFields } from '../mappers/map-workouts.ts';
import { daysPull } from './days-pull.ts';
import { daysOf, instantsOf } from './depths.ts';
import { heartPull } from './heart.ts';
import { intradayPull } from './intraday.ts';
import { sleepPull } from './sleep.ts';
import { createContext, anySource } from '../withings.ts';

const profilePull: PullSpec = {
  ...profileDefaults,
  requiredScopes: ['user.metrics'],
  // Heights of any age are few, so one call covers any window.
  async *pull({ http, user }) {
    const form = { action: 'getmeas', meastypes: String(measureTypes.height), category: '1' };
    const { body, version } = await readService(http, '/measure', form);
    yield { ...mapProfile(body, createContext(user)), version };
  },
};

const { height, ...others } = measureTypes;

/** Most valuable per request first. */
export const withingsPulls: readonly PullSpec[] = [
  profilePull,
  daysPull({
    name: 'measures',
    resources: ['body', 'weight', 'fat', 'lean_body_mass', 'blood_pressure', 'heartrate', 'blood_oxygen', 'body_temperature', 'vo2_max'],
    requiredScopes: ['user.metrics'],
    collections: ['1', '2', '4'],
    path: '/measure',
    form: { action: 'getmeas', meastypes: Object.values(others).join(','), category: '1' },
    byDays: instantsOf,
    // Heart rate, oxygen and temperature also come from other services.
    complete: (days, now) => [
      ...summariesOn(days, anySource, 'body'),
      ...samplesInside(days, now, anySource, ['weight', 'fat', 'lean_body_mass', 'blood_pressure', 'vo2_max']),
    ],
    map: mapMeasures,
  }),
  daysPull({
    name: 'activity',
    resources: ['activity'],
    requiredScopes: ['user.activity'],
    collections: ['16'],
    path: '/v2/measure',
    form: { action: 'getactivity', data_fields: activityFields },
    byDays: daysOf,
    complete: (days) => summariesOn(days, anySource, 'activity'),
    map: mapActivity,
  }),
  sleepPull,
  daysPull({
    name: 'workouts',
    resources: ['workouts'],
    requiredScopes: ['user.activity'],
    collections: ['16'],
    path: '/v2/measure',
    form: { action: 'getworkouts', data_fields: workoutFields },
    byDays: daysOf,
    // Withings selects by its own days, but the zone of a workout determines ours.
    complete: (days) => summariesOn(innerDays(days), anySource, 'workouts'),
    map: mapWorkouts,
  }),
  heartPull,
  intradayPull,
];
