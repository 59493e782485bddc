import { createProfilePull } from '../../kit/pull-presets.ts';
import { mapAthlete } from '../mappers/map-athlete.ts';
import { createContext } from '../strava.ts';

export const athletePull = createProfilePull({
  name: 'athlete',
  resources: ['profile', 'body', 'weight'],
  requiredScopes: ['read'],
  path: '/athlete',
  map: (body, user) => mapAthlete(body, createContext(user)),
});
