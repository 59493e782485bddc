import { allLogged, allSummaries } from '../../context/all-of.ts';
import { mapFat, mapWeight } from '../../mappers/body/map-weight.ts';
import { rangePull } from '../range-pull.ts';

export const weightPull = rangePull({
  name: 'weight',
  resources: ['body', 'weight'],
  requiredScopes: ['weight'],
  chunkDays: 31,
  collections: ['body'],
  path: (start, end) => `/1/user/-/body/log/weight/date/${start}/${end}.json`,
  map: mapWeight,
  allOf: (days, context) => [...allSummaries('body', ['scale', 'app'], days), ...allLogged('weight', ['scale', 'app'], days, context)],
  deletions: 'by_absence',
});

export const fatPull = rangePull({
  name: 'fat',
  resources: ['fat'],
  requiredScopes: ['weight'],
  chunkDays: 31,
  collections: ['body'],
  path: (start, end) => `/1/user/-/body/log/fat/date/${start}/${end}.json`,
  map: mapFat,
  allOf: (days, context) => allLogged('fat', ['scale', 'app'], days, context),
  deletions: 'by_absence',
});
