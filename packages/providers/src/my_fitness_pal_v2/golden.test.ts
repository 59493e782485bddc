import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { mapDiaryItems } from '../kit/my-fitness-pal/map-diary-items.ts';
import { mapMeasurements } from '../kit/my-fitness-pal/map-measurements.ts';
import { mapProfile } from './map-profile.ts';
import { createContext } from './my-fitness-pal.ts';
import { diaryReading } from './pulls.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'America/Denver',
  providerUserId: '1234567890123',
  grantedScopes: [],
  account: {},
});

describeMappers(import.meta.url, {
  diary: (body) => mapDiaryItems(body, context, diaryReading),
  'diary-recorded': (body) => mapDiaryItems(body, context, diaryReading),
  weight: (body) => mapMeasurements(body, context),
  single: (body) => mapMeasurements(body, context),
  profile: (body) => mapProfile(body, context),
});
