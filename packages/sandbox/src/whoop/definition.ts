import { passwordCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { cognitoRefusal, signInRoute, signInTroubles } from './sign-in.ts';
import { dataRoutes } from './data.ts';

/** The API of WHOOP's own app: a sign-in with the protocol of AWS Cognito, days from sleep to sleep, ranges as text. */
export const whoopDefinition: SimulatorDefinition = {
  slug: 'whoop',
  capabilities: {
    ...passwordCapabilities,
    mfa: true,
    deletes: { workout: ['workouts'], sleep: ['sleep', 'sleep_cycle', 'activity'], morning: ['heartrate'] },
    conformanceDays: 6,
  },
  routes: [signInRoute, ...dataRoutes],
  troubles: signInTroubles,
  refuse({ reason, status, message }) {
    if (reason === 'grant_invalid') return cognitoRefusal('NotAuthorizedException', 'Refresh Token has been revoked');
    return { status, body: { message } };
  },
};
