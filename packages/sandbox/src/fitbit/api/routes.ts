import type { ApiRoute } from '../../kit/definition/definition.ts';
import { RefusalError } from '../../kit/parts/refusal.ts';
import type { FitbitPerson } from '../person/person.ts';
import { subscriptionRoutes } from './subscription-routes.ts';
import { activityRoutes } from './activity-routes.ts';
import { bodyRoutes } from './body-routes.ts';
import { nightlyRoutes } from './nightly-routes.ts';
import { sleepRoutes } from './sleep-routes.ts';
import { toApiRoute } from './types.ts';

/** Any other path of a user: the token is checked and the request counted before the path is rejected. */
const unknown = ['1', '1.1', '1.2'].flatMap((version) =>
  (['GET', 'POST', 'DELETE'] as const).map((method): ApiRoute<FitbitPerson> => ({
    kind: 'unknown',
    method,
    path: `/${version}/user/*`,
    auth: 'user',
    respond() {
      throw new RefusalError('not_found', 'No such resource');
    },
  })),
);

export const routes: readonly ApiRoute<FitbitPerson>[] = [
  ...[...activityRoutes, ...sleepRoutes, ...bodyRoutes, ...nightlyRoutes, ...subscriptionRoutes].map(toApiRoute),
  ...unknown,
];
