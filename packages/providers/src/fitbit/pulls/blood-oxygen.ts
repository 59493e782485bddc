import { mapBloodOxygen } from '../map-nightly.ts';
import { rangePull } from './range-pull.ts';

export const bloodOxygenPull = rangePull({
  name: 'blood-oxygen',
  resources: ['blood_oxygen'],
  requiredScopes: ['oxygen_saturation'],
  chunkDays: 30,
  collections: ['sleep'],
  path: (start, end) => `/1/user/-/spo2/date/${start}/${end}.json`,
  map: mapBloodOxygen,
});
