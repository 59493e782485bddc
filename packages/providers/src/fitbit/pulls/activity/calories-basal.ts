import { mapCaloriesBasal } from '../../mappers/activity/map-calories.ts';
import { rangePull } from '../range-pull.ts';

export const caloriesBasalPull = rangePull({
  name: 'calories-basal',
  resources: ['calories_basal'],
  requiredScopes: ['activity'],
  chunkDays: 90,
  collections: ['activities'],
  path: (start, end) => `/1/user/-/activities/caloriesBMR/date/${start}/${end}.json`,
  map: mapCaloriesBasal,
  deletions: { unseen: 'A day keeps its figure for as long as the account does.' },
});
