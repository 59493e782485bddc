import { allLogged } from '../../context/all-of.ts';
import { mapCoreTemperature } from '../../mappers/night/map-core-temperature.ts';
import { rangePull } from '../range-pull.ts';

export const coreTemperaturePull = rangePull({
  name: 'core-temperature',
  resources: ['body_temperature'],
  requiredScopes: ['temperature'],
  chunkDays: 30,
  collections: [],
  path: (start, end) => `/1/user/-/temp/core/date/${start}/${end}.json`,
  map: mapCoreTemperature,
  allOf: (days, context) => allLogged('body_temperature', ['app'], days, context),
  deletions: 'by_absence',
});
