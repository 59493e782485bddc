import { createProfilePull } from '../../kit/pull-presets.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { mapActivity } from '../mappers/map-activity.ts';
import { mapReadiness, mapSpo2, mapVo2Max } from '../mappers/map-daily.ts';
import { mapPersonal } from '../mappers/map-personal.ts';
import { mapSessions } from '../mappers/map-sessions.ts';
import { mapWorkouts, removeWorkout } from '../mappers/map-workouts.ts';
import { createContext, documentIdOf } from '../oura.ts';
import { datedPull, daysPull } from './days-pull.ts';
import { heartratePull } from './heartrate.ts';
import { sleepPull } from './sleep.ts';
import { tagsPull } from './tags.ts';

export const personalPull = createProfilePull({
  name: 'personal',
  resources: ['profile', 'body', 'weight'],
  requiredScopes: ['personal'],
  path: '/v2/usercollection/personal_info',
  map: (body, user) => mapPersonal(body, createContext(user)),
});

/** Most valuable per request first. */
export const ouraPulls: readonly PullSpec[] = [
  personalPull,
  sleepPull,
  daysPull({
    name: 'activity',
    collection: 'daily_activity',
    resources: ['activity', 'steps', 'distance', 'calories_active'],
    requiredScopes: ['daily'],
    collections: ['daily_activity'],
    summaries: ['activity'],
    samples: ['steps', 'distance', 'calories_active'],
    map: mapActivity,
  }),
  daysPull({
    name: 'workouts',
    collection: 'workout',
    resources: ['workouts'],
    requiredScopes: ['workout'],
    collections: ['workout'],
    summaries: ['workouts'],
    map: mapWorkouts,
    removeObject: ({ user, objectId }) => removeWorkout(documentIdOf(objectId), createContext(user)),
  }),
  datedPull({
    name: 'readiness',
    collection: 'daily_readiness',
    resources: ['body_temperature_delta'],
    requiredScopes: ['daily'],
    collections: ['daily_readiness'],
    map: mapReadiness,
  }),
  datedPull({
    name: 'spo2',
    collection: 'daily_spo2',
    resources: ['blood_oxygen', 'sleep_breathing_disturbance'],
    requiredScopes: ['spo2'],
    collections: ['daily_spo2'],
    map: mapSpo2,
  }),
  datedPull({
    name: 'vo2-max',
    // Capitalised here but not in pushes.
    collection: 'vO2_max',
    resources: ['vo2_max'],
    requiredScopes: ['heart_health'],
    collections: ['vo2_max'],
    map: mapVo2Max,
  }),
  daysPull({
    name: 'sessions',
    collection: 'session',
    resources: ['mindfulness_minutes', 'hrv'],
    requiredScopes: ['session'],
    collections: ['session'],
    // RMSSD also comes with nights.
    samples: ['mindfulness_minutes'],
    map: mapSessions,
  }),
  tagsPull,
  heartratePull,
];
