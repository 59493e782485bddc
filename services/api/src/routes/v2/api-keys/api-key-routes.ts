import type { Route } from '../../../route/route.ts';
import { createApiKeyRoute } from './create-api-key.ts';
import { listApiKeysRoute } from './list-api-keys.ts';
import { revokeApiKeyRoute } from './revoke-api-key.ts';
import { rotateApiKeyRoute } from './rotate-api-key.ts';
import { updateApiKeyRoute } from './update-api-key.ts';

/** A team's API keys. */
export const apiKeyRoutes: readonly Route[] = [
  listApiKeysRoute,
  createApiKeyRoute,
  updateApiKeyRoute,
  rotateApiKeyRoute,
  revokeApiKeyRoute,
];
