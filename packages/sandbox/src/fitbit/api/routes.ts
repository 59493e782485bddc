import { subscriptionRoutes } from '../subscriptions/routes.ts';
import { activityRoutes } from './activity-routes.ts';
import { bodyRoutes } from './body-routes.ts';
import { nightlyRoutes } from './nightly-routes.ts';
import { sleepRoutes } from './sleep-routes.ts';
import type { ApiRoute } from './types.ts';

const routes: readonly ApiRoute[] = [...activityRoutes, ...sleepRoutes, ...bodyRoutes, ...nightlyRoutes, ...subscriptionRoutes];

export interface RouteMatch {
  readonly route: ApiRoute;
  /** `-` or an owner id. */
  readonly user: string;
  readonly path: Readonly<Record<string, string | undefined>>;
}

/** The first row that fits, or undefined. */
export function matchRoute(method: string, pathname: string): RouteMatch | undefined {
  const [, version, user, rest] = /^\/(1|1\.1|1\.2)\/user\/([^/]+)(\/.*)$/.exec(pathname) ?? [];
  if (version === undefined || user === undefined || rest === undefined) return undefined;
  for (const route of routes) {
    if (route.method !== method || route.version !== version) continue;
    const match = route.pattern.exec(rest);
    if (match) return { route, user, path: match.groups ?? {} };
  }
  return undefined;
}
