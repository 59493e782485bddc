import { allNightly } from '../../context/all-of.ts';
import { mapSkinTemperature } from '../../mappers/night/map-nightly.ts';
import { rangePull } from '../range-pull.ts';

export const skinTemperaturePull = rangePull({
  name: 'skin-temperature',
  resources: ['body_temperature_delta'],
  requiredScopes: ['temperature'],
  chunkDays: 30,
  collections: ['sleep'],
  path: (start, end) => `/1/user/-/temp/skin/date/${start}/${end}.json`,
  map: mapSkinTemperature,
  allOf: (days, context) => allNightly('body_temperature_delta', days, context),
  deletions: 'by_absence',
});
