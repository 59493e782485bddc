import { allNightly } from '../../context/all-of.ts';
import { mapVo2Max } from '../../mappers/night/map-nightly.ts';
import { rangePull } from '../range-pull.ts';

export const vo2MaxPull = rangePull({
  name: 'vo2-max',
  resources: ['vo2_max'],
  requiredScopes: ['cardio_fitness'],
  chunkDays: 30,
  collections: ['sleep'],
  path: (start, end) => `/1/user/-/cardioscore/date/${start}/${end}.json`,
  map: mapVo2Max,
  allOf: (days, context) => allNightly('vo2_max', days, context),
  deletions: 'by_absence',
});
