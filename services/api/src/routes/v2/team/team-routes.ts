import type { Route } from '../../../route/route.ts';
import { listAuditRoute } from './list-audit.ts';
import { getMessageRoute } from './get-message.ts';
import { listDeprecationsRoute } from './list-deprecations.ts';
import { listEventTypesRoute } from './list-event-types.ts';
import { listEventsRoute } from './list-events.ts';
import { listMessagesRoute } from './list-messages.ts';

/** Event types, messages and events of a team. */
export const teamRoutes: readonly Route[] = [
  listEventTypesRoute,
  listEventsRoute,
  listMessagesRoute,
  getMessageRoute,
  listAuditRoute,
  listDeprecationsRoute,
];
