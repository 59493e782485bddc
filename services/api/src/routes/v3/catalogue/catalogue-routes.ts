import type { Route } from '../../../route/route.ts';
import { createLabTestRoute, getLabTestRoute, listAllLabTestsRoute, listLabTestsRoute, updateLabTestRoute } from './lab-tests.ts';
import { listLabAccountsRoute, listLabsRoute } from './labs.ts';
import { getLabMarkerRoute, listLabTestMarkersRoute, listMarkersRoute, listOrderSetMarkersRoute } from './markers.ts';

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
