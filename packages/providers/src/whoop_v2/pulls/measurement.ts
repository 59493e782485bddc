import { createProfilePull } from '../../kit/pull-presets.ts';
import { mapMeasurement } from '../mappers/map-measurement.ts';
import { createContext } from '../whoop.ts';

export const measurementPull = createProfilePull({
  name: 'measurement',
  resources: ['profile', 'body', 'weight'],
  requiredScopes: ['read:body_measurement'],
  path: '/v2/user/measurement/body',
  map: (body, user) => mapMeasurement(body, createContext(user)),
});
