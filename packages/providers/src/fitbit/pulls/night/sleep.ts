import { allSummaries } from '../../context/all-of.ts';
import { mapSleep } from '../../mappers/sleep/map-sleep.ts';
import { rangePull } from '../range-pull.ts';

export const sleepPull = rangePull({
  name: 'sleep',
  resources: ['sleep', 'sleep_cycle'],
  requiredScopes: ['sleep'],
  chunkDays: 100,
  collections: ['sleep'],
  path: (start, end) => `/1.2/user/-/sleep/date/${start}/${end}.json`,
  map: mapSleep,
  allOf: (days) => ['sleep', 'sleep_cycle'].flatMap((resource) => allSummaries(resource, ['watch', 'app'], days)),
  deletions: 'by_absence',
});
