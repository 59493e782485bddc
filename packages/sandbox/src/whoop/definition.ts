import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { cognitoRefusal, signInRoute, signInTroubles } from './sign-in.ts';
import { dataRoutes } from './data.ts';

/** The API of WHOOP's own app: a sign-in with the protocol of AWS Cognito, days from sleep to sleep, ranges as text. */
export const whoopDefinition: SimulatorDefinition = {
  slug: 'whoop',
  capabilities: {
    auth: 'password',
    mfa: true,
    refresh: true,
    // Signing out everywhere ends the refresh tokens; an application cannot revoke its own.
    revocation: true,
    hasNoRevocationCall: true,
    push: null,
    removes: [],
    deletes: { workout: ['workouts'], sleep: ['sleep', 'sleep_cycle', 'activity'], morning: ['heartrate'] },
    pages: false,
    truth: true,
    conformanceDays: 6,
  },
  routes: [signInRoute, ...dataRoutes],
  troubles: signInTroubles,
  refuse({ reason, status, message }) {
    if (reason === 'grant_invalid') return cognitoRefusal('NotAuthorizedException', 'Refresh Token has been revoked');
    return { status, body: { message } };
  },
};
