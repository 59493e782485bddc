import { eachDay } from '../../kit/days.ts';
import type { PullSpec } from '../../kit/types.ts';
import { mapActivity } from '../map-activity.ts';
import { mapBodyTemperature, mapSkinTemperature, mapSpo2 } from '../map-biosensing.ts';
import { mapHeartrate } from '../map-heartrate.ts';
import { mapPhysical } from '../map-physical.ts';
import { clockedPull, historyDays, readRange } from './clocked-pull.ts';
import { exercisesPull } from './exercises.ts';
import { sleepPull } from './sleep.ts';

const fourWeeks = { chunkDays: 28, backfillDays: historyDays };

/** In the order of worth for their calls. */
export const polarPulls: readonly PullSpec[] = [
  sleepPull,
  clockedPull({
    name: 'activity',
    resources: ['activity', 'steps', 'distance', 'calories_active'],
    collections: ['ACTIVITY_SUMMARY'],
    chunkDays: 28,
    backfillDays: 365,
    read: readRange('/users/activities', { steps: 'true' }),
    map: mapActivity,
  }),
  exercisesPull,
  clockedPull({
    name: 'physical-info',
    resources: ['profile', 'body', 'weight', 'vo2_max'],
    collections: ['PHYSICAL_INFORMATION'],
    // It has no days: one call, whatever the window.
    chunkDays: 365,
    backfillDays: 1,
    async *read(http) {
      yield await http.get('/users/physical-info');
    },
    map: (body, _window, context) => mapPhysical(body, context),
  }),
  clockedPull({
    name: 'heartrate',
    resources: ['heartrate'],
    collections: ['CONTINUOUS_HEART_RATE'],
    chunkDays: 7,
    backfillDays: historyDays,
    rereadDays: 2,
    async *read(http, window) {
      for (const day of eachDay(window)) yield await http.get(`/users/continuous-heart-rate/${day}`);
    },
    map: (body, _window, context) => mapHeartrate(body, context),
  }),
  clockedPull({
    name: 'skin-temperature',
    resources: ['body_temperature', 'body_temperature_delta'],
    collections: ['SLEEP'],
    ...fourWeeks,
    read: readRange('/users/biosensing/skintemperature'),
    map: mapSkinTemperature,
  }),
  clockedPull({
    name: 'body-temperature',
    resources: ['body_temperature'],
    collections: [],
    ...fourWeeks,
    read: readRange('/users/biosensing/bodytemperature'),
    map: (body, _window, context) => mapBodyTemperature(body, context),
  }),
  clockedPull({
    name: 'spo2',
    resources: ['blood_oxygen'],
    collections: [],
    ...fourWeeks,
    read: readRange('/users/biosensing/spo2'),
    map: (body, _window, context) => mapSpo2(body, context),
  }),
];
