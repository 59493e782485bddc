import type { Route } from '../../route/route.ts';
import { phoneLogsRoute } from './phone-logs.ts';
import { createPhoneTokenRoute, renewPhoneTokenRoute, revokePhoneTokenRoute } from './phone-tokens.ts';
import { signPhoneOutRoute } from './sign-phone-out.ts';
import { syncApplePhoneRoute, syncPhoneRoute } from './phone-batches.ts';

/** The endpoints that the open-source mobile SDKs call, with paths, bodies and responses of their own. */
export const phoneRoutes: readonly Route[] = [
  syncPhoneRoute,
  syncApplePhoneRoute,
  signPhoneOutRoute,
  phoneLogsRoute,
  createPhoneTokenRoute,
  renewPhoneTokenRoute,
  revokePhoneTokenRoute,
];
