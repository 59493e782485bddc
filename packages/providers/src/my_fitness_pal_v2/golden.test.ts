import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { mapDiary } from './map-diary.ts';
import { mapMeasurements } from './map-measurements.ts';
import { mapProfile } from './map-profile.ts';
import { createContext } from './my-fitness-pal.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'America/Denver',
  providerUserId: '1234567890123',
  grantedScopes: [],
  account: {},
});

describeMappers(import.meta.url, {
  diary: (body) => mapDiary(body, context),
  'diary-recorded': (body) => mapDiary(body, context),
  weight: (body) => mapMeasurements(body, context),
  single: (body) => mapMeasurements(body, context),
  profile: (body) => mapProfile(body, context),
});
