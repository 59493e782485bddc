import { passwordCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { measurementsRoute } from './measurements.ts';
import { appClient, tokenRoute } from './tokens.ts';

/**
 * The sign-in of Beurer's apps, and measurements in the neutral form that an operator's bridge would serve: nothing of the vendor's own is
 * public.
 */
export const beurerDefinition: SimulatorDefinition = {
  slug: 'beurer_api',
  // A successful status without tokens has been observed.
  troubles: { sign_in_without_tokens: (kind) => (kind === 'token' ? { text: 'OK' } : null) },
  settings: appClient,
  capabilities: {
    ...passwordCapabilities,
    regions: ['eu', 'us'],
    // Until the next morning.
    newDataMinutes: 24 * 60,
  },
  regionPaths: { eu: '', us: '/us', sso: '/sso' },
  routes: [tokenRoute, measurementsRoute],
  refuse({ reason, status, message }) {
    if (reason === 'grant_invalid') return { status: 400, body: { error: 'invalid_grant', error_description: message } };
    return { status, body: { error: reason, message } };
  },
};
