import type { Route } from '../../../route/route.ts';
import { createLabTestRoute } from './create-lab-test.ts';
import { getLabMarkerRoute } from './get-lab-marker.ts';
import { getLabTestRoute } from './get-lab-test.ts';
import { listAllLabTestsRoute } from './list-all-lab-tests.ts';
import { listLabAccountsRoute } from './list-lab-accounts.ts';
import { listLabsRoute } from './list-labs.ts';
import { listLabTestMarkersRoute } from './list-lab-test-markers.ts';
import { listLabTestsRoute } from './list-lab-tests.ts';
import { listMarkersRoute } from './list-markers.ts';
import { listOrderSetMarkersRoute } from './list-order-set-markers.ts';
import { updateLabTestRoute } from './update-lab-test.ts';

export const catalogueRoutes: readonly Route[] = [
  listLabsRoute,
  listMarkersRoute,
  listOrderSetMarkersRoute,
  listLabTestsRoute,
  listAllLabTestsRoute,
  createLabTestRoute,
  getLabTestRoute,
  updateLabTestRoute,
  listLabTestMarkersRoute,
  getLabMarkerRoute,
  listLabAccountsRoute,
];
