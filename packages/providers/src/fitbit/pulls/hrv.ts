import { mapHrv } from '../map-nightly.ts';
import { rangePull } from './range-pull.ts';

export const hrvPull = rangePull({
  name: 'hrv',
  resources: ['hrv'],
  requiredScopes: ['heartrate'],
  chunkDays: 30,
  collections: ['sleep'],
  path: (start, end) => `/1/user/-/hrv/date/${start}/${end}.json`,
  map: mapHrv,
});
