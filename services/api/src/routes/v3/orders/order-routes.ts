import type { Route } from '../../../route/route.ts';
import { getCommunicationSettingsRoute, putCommunicationSettingsRoute } from './communication-settings.ts';
import { createOrderRoutes, importOrderRoute } from './order-creation.ts';
import {
  cancelOrderRoute,
  completeDrawRoute,
  getOrderRoute,
  getOrderTransactionRoute,
  listOrderCentersRoute,
  listOrdersRoute,
  resendOrderEventsRoute,
  updateOrderRoute,
} from './orders.ts';
import { simulateOrderRoute } from './simulate-order.ts';

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
