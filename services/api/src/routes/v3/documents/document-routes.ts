import type { Route } from '../../../route/route.ts';
import { getAbnRoute } from './get-abn.ts';
import { getLabelsRoute } from './get-labels.ts';
import { getOrderInstructionsRoute } from './get-order-instructions.ts';
import { getRequisitionRoute } from './get-requisition.ts';
import { getTestInstructionsRoute } from './get-test-instructions.ts';

export const documentRoutes: readonly Route[] = [
  getRequisitionRoute,
  getAbnRoute,
  getLabelsRoute,
  getOrderInstructionsRoute,
  getTestInstructionsRoute,
];
