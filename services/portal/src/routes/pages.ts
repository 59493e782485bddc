import type { PageContext } from '../pages/context.ts';
import { dayPage } from '../pages/day.ts';
import { deliveriesPage } from '../pages/deliveries.ts';
import { deliveryPage } from '../pages/delivery.ts';
import { endpointPage, endpointsPage } from '../pages/endpoints.ts';
import { homePage } from '../pages/home.ts';
import { nightPage } from '../pages/night.ts';
import { userPage } from '../pages/user.ts';
import { usersPage } from '../pages/users.ts';
import type { View } from '../pages/view.ts';

/** A page, and the scope that its key needs. */
export interface PageRoute {
  readonly path: string;
  readonly scope: string;
  readonly make: (context: PageContext) => Promise<View>;
}

export const pageRoutes: readonly PageRoute[] = [
  { path: '', scope: 'read', make: homePage },
  { path: '/users', scope: 'read', make: usersPage },
  { path: '/users/:userId', scope: 'read', make: userPage },
  { path: '/users/:userId/day', scope: 'read', make: dayPage },
  { path: '/users/:userId/night', scope: 'read', make: nightPage },
  { path: '/deliveries', scope: 'webhooks', make: deliveriesPage },
  { path: '/deliveries/:messageId', scope: 'webhooks', make: deliveryPage },
  { path: '/endpoints', scope: 'webhooks', make: endpointsPage },
  { path: '/endpoints/:endpointId', scope: 'webhooks', make: endpointPage },
];
