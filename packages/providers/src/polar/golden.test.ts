import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { createRecordMaker } from '../kit/records/record-maker.ts';
import { mapActivity } from './map-activity.ts';
import { mapBodyTemperature, mapSkinTemperature, mapSpo2 } from './map-biosensing.ts';
import { mapExercise } from './map-exercise.ts';
import { mapHeartrate } from './map-heartrate.ts';
import { mapPhysical } from './map-physical.ts';
import { mapSleep } from './map-sleep.ts';
import { createContext } from './polar.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '1',
  grantedScopes: [],
  account: {},
};
const window = { startDate: '2025-05-01', endDate: '2025-05-02' };
const night = { date: '2025-05-01', sleep_start_time: '2025-04-30T23:39:07+03:00', sleep_end_time: '2025-05-01T07:19:37+03:00' };
const context = createContext(user, { nights: [night] });

describeMappers(import.meta.url, {
  // Two answers in one file.
  sleep: (body) => mapSleep({ sleep: body, recharge: body }, window, context),
  activity: (body) => mapActivity(body, window, context),
  exercise: (body) => mapExercise(body, createRecordMaker('polar', user)),
  physical: (body) => mapPhysical(body, context),
  heartrate: (body) => mapHeartrate(body, context),
  spo2: (body) => mapSpo2(body, context),
  'skin-temperature': (body) => mapSkinTemperature(body, window, context),
  'body-temperature': (body) => mapBodyTemperature(body, context),
});
