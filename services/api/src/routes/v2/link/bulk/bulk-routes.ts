import type { Connector } from '@pulsewire/providers';
import type { Route } from '../../../../route/route.ts';
import { exportConnectionsRoute } from './export-connections.ts';
import { importConnectionsRoute } from './import-connections.ts';
import { listItemsRoute } from './list-items.ts';
import { listOperationsRoute } from './list-operations.ts';
import { pauseConnectionsRoute } from './pause-connections.ts';
import { triggerHistoricalPullRoute } from './trigger-historical-pull.ts';

/** Bulk operations. */
export const bulkRoutes = (connectors: readonly Connector[]): readonly Route[] => [
  importConnectionsRoute(connectors),
  triggerHistoricalPullRoute(connectors),
  exportConnectionsRoute(connectors),
  pauseConnectionsRoute(connectors),
  listOperationsRoute,
  listItemsRoute,
];
