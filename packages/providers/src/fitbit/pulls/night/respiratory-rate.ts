import { allNightly } from '../../context/all-of.ts';
import { mapRespiratoryRate } from '../../mappers/night/map-nightly.ts';
import { rangePull } from '../range-pull.ts';

export const respiratoryRatePull = rangePull({
  name: 'respiratory-rate',
  resources: ['respiratory_rate'],
  requiredScopes: ['respiratory_rate'],
  chunkDays: 30,
  collections: ['sleep'],
  path: (start, end) => `/1/user/-/br/date/${start}/${end}.json`,
  map: mapRespiratoryRate,
  allOf: (days, context) => allNightly('respiratory_rate', days, context),
  deletions: 'by_absence',
});
