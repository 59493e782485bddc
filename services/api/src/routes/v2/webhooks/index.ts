import type { Route } from '../../../http/route.ts';
import { createEndpointRoute } from './create-endpoint.ts';
import { deleteEndpointRoute } from './delete-endpoint.ts';
import { getEndpointRoute } from './get-endpoint.ts';
import { getHeadersRoute } from './get-headers.ts';
import { getSecretRoute } from './get-secret.ts';
import { listAttemptsRoute } from './list-attempts.ts';
import { listEndpointsRoute } from './list-endpoints.ts';
import { putHeadersRoute } from './put-headers.ts';
import { recoverMessagesRoute } from './recover-messages.ts';
import { rotateSecretRoute } from './rotate-secret.ts';
import { updateEndpointRoute } from './update-endpoint.ts';

/** Management of a team's endpoints (contract 21.3). */
export const webhookRoutes: readonly Route[] = [
  listEndpointsRoute,
  createEndpointRoute,
  getEndpointRoute,
  updateEndpointRoute,
  deleteEndpointRoute,
  getHeadersRoute,
  putHeadersRoute,
  getSecretRoute,
  rotateSecretRoute,
  listAttemptsRoute,
  recoverMessagesRoute,
];
