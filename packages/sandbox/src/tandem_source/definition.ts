import { passwordCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { dataRoutes } from './data-routes.ts';
import { hostPaths } from './hosts.ts';
import { loginRoutes } from './login.ts';
import { tokenRoutes } from './tokens.ts';

/** Tandem Source, from open clients of 2026: a login with cookies and a code, pumps, and their log as JSON on the pump's own clock. */
export const tandemDefinition: SimulatorDefinition = {
  slug: 'tandem_source',
  capabilities: {
    ...passwordCapabilities,
    regions: ['us', 'eu'],
    conformanceDays: 12,
  },
  regionPaths: hostPaths,
  providerUserId: (name) => uuidOf(`pumper:${name}`),
  routes: [...loginRoutes, ...tokenRoutes, ...dataRoutes],
  refuse({ reason, status, message }) {
    if (reason === 'not_found') return { status, text: '<!DOCTYPE html><html><body>Not Found</body></html>', contentType: 'text/html' };
    return { status, body: { status, message } };
  },
};
