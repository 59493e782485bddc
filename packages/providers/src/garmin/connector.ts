import { dayMs } from '@pulsewire/kernel';
import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import type { Connector } from '../kit/types/connector.ts';
import { readGarminAccount } from './account.ts';
import { classifyGarmin } from './classify.ts';
import { activityExport, collections, healthExport, historicalExport } from './collections.ts';
import { garminSlug, garminSourceId } from './garmin.ts';
import { garminPulls, historyDays } from './pulls.ts';
import { garminPush } from './push.ts';
import { revokeGarmin } from './revoke.ts';

export const garmin: Connector = {
  ...connectorDefaults,
  slug: garminSlug,
  name: 'Garmin',
  description: 'Watches, scales and cuffs, pushed by Garmin Connect',
  sourceId: garminSourceId,
  authType: 'oauth',
  endpoints: {
    apiBaseUrl: 'https://apis.garmin.com',
    authorizeUrl: 'https://connect.garmin.com/oauth2Confirm',
    tokenUrl: 'https://diauth.garmin.com/di-oauth2-service/oauth/token',
    revokeUrl: null,
  },
  oauth: {
    clientAuth: 'body',
    pkce: 'required',
    // Not requested: they are set in the portal and the user toggles them.
    scopeSeparator: null,
    scopes: [healthExport, activityExport, 'MCT_EXPORT', historicalExport],
    grantedScopesIn: 'account',
    refresh: 'rotates',
    revoke: revokeGarmin,
  },
  resources: Object.fromEntries(collections.flatMap(({ resources, scope }) => resources.map((name) => [name, needs(scope)]))),
  unavailableResources: {
    menstrual_cycle: 'The fields of a cycle are only in documents for partners.',
    water: 'The field of hydration is only in documents for partners.',
  },
  backfillDays: historyDays,
  pulls: garminPulls,
  push: garminPush,
  // There is nothing to poll: a poll only triggers the daily read of the permissions, which also keeps the tokens valid.
  pollEveryMs: dayMs / 2,
  // The limits for applications under evaluation; those of production are unknown.
  quotas: [{ scope: 'app', requests: 100, perMs: 60_000, window: 'sliding' }],
  historyLimit: { kind: 'rate', pulls: 2, perMs: 60_000 },
  account: readGarminAccount,
  classify: classifyGarmin,
};
