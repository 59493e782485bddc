import { dayMs } from '@pulsewire/kernel';
import { readGarminAccount } from './account.ts';
import { activityExport, collections, healthExport, historicalExport } from './collections.ts';
import { garminSlug, garminSourceId } from './garmin.ts';
import { garminPulls, historyDays } from './pulls.ts';
import { garminPush } from './push.ts';
import { classifyByStatus, connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import { parseInstant } from '../kit/time/time.ts';
import type { JudgedResponse, ProviderVerdict, RevocationCall, Connector } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';

const minimumPattern = /before min start time(?: of (\S+?)(?=[\s"']|$))?/i;

/**
 * Garmin refuses data from earlier than about a month before the user's first consent: `start … before min start time of …`. Observed with
 * 400 and with 401; neither a new token nor a retry helps.
 */
function readOutOfReach(body: unknown): ProviderVerdict | null {
  const { value } = new JsonNode(body).at('errorMessage');
  const match = typeof value === 'string' ? minimumPattern.exec(value) : null;
  if (match === null) return null;
  const earliest = parseInstant(match[1] ?? '');
  return { code: 'provider_permanent', details: { reason: 'out_of_reach', ...(earliest && { earliestMs: earliest.ms }) } };
}

/** 403 and 412: the user does not share this, above all the history. */
function classifyGarmin(response: JudgedResponse): ProviderVerdict {
  if (response.status === 403 || response.status === 412) return { code: 'provider_scope_missing' };
  return readOutOfReach(response.body) ?? classifyByStatus(response);
}

/**
 * Ends the user's registration with our application, and with it all tokens and pushes. So it is skipped when the token's user is
 * unknown: another connection may depend on the same registration.
 */
export async function revokeGarmin({ http, accessToken, providerUserId }: RevocationCall): Promise<boolean> {
  if (providerUserId === null) return false;
  const { status } = await http.send({
    method: 'DELETE',
    path: '/partner-gateway/rest/user/registration',
    headers: { authorization: `Bearer ${accessToken}` },
  });
  if (status === 401) throw providerError('provider_token_expired', { status });
  return judgeRevocation(status);
}

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
