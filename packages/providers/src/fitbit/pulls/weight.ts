import { mapWeight } from '../map-weight.ts';
import { rangePull } from './range-pull.ts';

export const weightPull = rangePull({
  name: 'weight',
  resources: ['body', 'weight', 'fat'],
  requiredScopes: ['weight'],
  chunkDays: 31,
  collections: ['body'],
  path: (start, end) => `/1/user/-/body/log/weight/date/${start}/${end}.json`,
  map: mapWeight,
});
