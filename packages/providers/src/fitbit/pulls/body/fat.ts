import { allLogged } from '../../context/all-of.ts';
import { mapFat } from '../../mappers/body/map-weight.ts';
import { rangePull } from '../range-pull.ts';

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
