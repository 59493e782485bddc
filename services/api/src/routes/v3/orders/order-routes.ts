import type { Route } from '../../../route/route.ts';
import { cancelOrderRoute } from './cancel-order.ts';
import { getCommunicationSettingsRoute, putCommunicationSettingsRoute } from './communication-settings.ts';
import { completeDrawRoute } from './complete-draw.ts';
import { createOrderRoutes } from './create-order.ts';
import { getOrderRoute } from './get-order.ts';
import { getOrderTransactionRoute } from './get-transaction.ts';
import { importOrderRoute } from './import-order.ts';
import { listOrderCentersRoute } from './list-order-centers.ts';
import { listOrdersRoute } from './list-orders.ts';
import { resendOrderEventsRoute } from './resend-events.ts';
import { simulateOrderRoute } from './simulate-order.ts';
import { updateOrderRoute } from './update-order.ts';

export const orderRoutes: readonly Route[] = [
  ...createOrderRoutes,
  importOrderRoute,
  listOrdersRoute,
  resendOrderEventsRoute,
  getOrderRoute,
  updateOrderRoute,
  cancelOrderRoute,
  completeDrawRoute,
  getCommunicationSettingsRoute,
  putCommunicationSettingsRoute,
  simulateOrderRoute,
  listOrderCentersRoute,
  getOrderTransactionRoute,
];
