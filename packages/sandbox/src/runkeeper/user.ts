import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { textAt } from './feeds.ts';

function user({ account: { providerUserId } }: UserCall): ApiResponse {
  return {
    body: {
      userID: Number(providerUserId),
      profile: '/profile',
      settings: '/settings',
      fitness_activities: '/fitnessActivities',
      strength_training_activities: '/strengthTrainingActivities',
      background_activities: '/backgroundActivities',
      sleep: '/sleep',
      nutrition: '/nutrition',
      weight: '/weight',
      general_measurements: '/generalMeasurements',
      diabetes: '/diabetes',
      records: '/records',
      team: '/team',
    },
  };
}

function profile({ account: { name, person } }: UserCall): ApiResponse {
  const { zone, birthDate, sex } = person;
  return {
    body: {
      name,
      location: 'Berlin, Germany',
      athlete_type: 'Athlete',
      gender: sex === 'male' ? 'M' : 'F',
      birthday: textAt(zone, zone.toInstant(birthDate, 0)),
      elite: 'false',
      profile: 'http://runkeeper.com/user/example',
    },
  };
}

const get = { method: 'GET', auth: 'user' } as const;

export const userRoutes: readonly ApiRoute[] = [
  { ...get, kind: 'user', path: '/user', respond: user },
  { ...get, kind: 'profile', path: '/profile', respond: profile },
];
