import { innerDays, ofKind, samplesInside, summariesOn } from '../../kit/records/complete-ranges.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { mapActivity } from '../mappers/map-activity.ts';
import { mapBodyTemperature, mapSkinTemperature, mapSpo2 } from '../mappers/map-biosensing.ts';
import { lead, mapEcg } from '../mappers/map-ecg.ts';
import { mapHeartrate } from '../mappers/map-heartrate.ts';
import { mapPhysical } from '../mappers/map-physical.ts';
import { watch } from '../polar.ts';
import { allOfDeltas, allOfHeartDay, allOfStepDays } from '../complete-days.ts';
import { clockedPull, historyDays, rereadDays } from './clocked-pull.ts';
import { exercisesPull } from './exercises.ts';
import { rangePull, readDays, readRange } from './read-range.ts';
import { sleepPull } from './sleep.ts';

/**
 * Polar returns a year of activity. A window may wait for days before it is read, and Polar refuses the whole request if part of
 * it is older than a year by then.
 */
const activityReachDays = 360;
const fourWeeks = { chunkDays: 28, backfillDays: historyDays };

/** Most valuable per request first. */
export const polarPulls: readonly PullSpec[] = [
  sleepPull,
  clockedPull({
    name: 'activity',
    resources: ['activity', 'steps', 'distance', 'calories_active'],
    collections: ['ACTIVITY_SUMMARY'],
    ...fourWeeks,
    reachDays: activityReachDays,
    read: readRange('/users/activities', { steps: 'true' }),
    deletions: 'by_absence',
    complete: allOfStepDays,
    map: mapActivity,
  }),
  exercisesPull,
  clockedPull({
    name: 'physical-info',
    resources: ['profile', 'body', 'weight', 'vo2_max'],
    collections: ['PHYSICAL_INFORMATION'],
    // The response has no days, so one call covers any window.
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
    // Some watches record a value every few seconds: four weeks of them would be a response of many megabytes.
    chunkDays: rereadDays + 1,
    backfillDays: historyDays,
    read: readDays('/users/continuous-heart-rate', 'heart_rates'),
    deletions: 'by_absence',
    complete: allOfHeartDay,
    map: (body, _window, context) => mapHeartrate(body, context),
  }),
  clockedPull({
    name: 'skin-temperature',
    resources: ['body_temperature', 'body_temperature_delta'],
    collections: ['SLEEP'],
    ...fourWeeks,
    read: readRange('/users/biosensing/skintemperature'),
    deletions: 'by_absence',
    complete: allOfDeltas,
    map: mapSkinTemperature,
  }),
  clockedPull({
    name: 'body-temperature',
    resources: ['body_temperature'],
    collections: [],
    ...fourWeeks,
    read: readRange('/users/biosensing/bodytemperature'),
    deletions: { unseen: 'The nights have readings of the same series, so neither response is complete.' },
    map: (body, _window, context) => mapBodyTemperature(body, context),
  }),
  rangePull({
    name: 'spo2',
    resources: ['blood_oxygen'],
    ...fourWeeks,
    path: '/users/biosensing/spo2',
    complete: (days, now) => samplesInside(days, now, watch, ['blood_oxygen']),
    map: mapSpo2,
  }),
  rangePull({
    name: 'ecg',
    resources: ['electrocardiogram', 'electrocardiogram_voltage'],
    ...fourWeeks,
    path: '/users/biosensing/ecg',
    // Polar selects by its own days, but the offset of a test determines ours.
    complete: (days, now) => [
      ...summariesOn(innerDays(days), watch, 'electrocardiogram'),
      ...ofKind(lead, samplesInside(days, now, watch, ['electrocardiogram_voltage'])),
    ],
    map: mapEcg,
  }),
];
