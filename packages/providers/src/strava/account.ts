import { JsonNode } from '../kit/values/json-node.ts';
import { noteWeight } from '../kit/records/typed-weight.ts';
import type { AccountContext, AccountFacts, ProviderHttp } from '../kit/types/connector.ts';
import { zoneNameOf } from './strava.ts';

/** The zone of the newest activity: the athlete object has none, and without it the user's day would be the UTC day. */
async function readZone(http: ProviderHttp): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await http.get('/athlete/activities', { page: '1', per_page: '1' });
  const zone = Array.isArray(body) ? zoneNameOf(new JsonNode(body[0]).at('timezone').value) : null;
  return zone === null ? {} : { time_zone: zone };
}

/** The user's zone, and the weight with its day; each only if its scope was granted. The user's id is in the token response. */
export async function readStravaAccount(context: AccountContext): Promise<AccountFacts> {
  const { http, grantedScopes, providerUserId = null, previous = {}, now } = context;
  const athlete = grantedScopes.includes('read') ? new JsonNode((await http.get('/athlete')).body) : new JsonNode(undefined);
  const zone = grantedScopes.includes('activity:read_all') ? await readZone(http) : {};
  return {
    providerUserId: providerUserId ?? athlete.at('id').optional((node) => node.id()),
    account: { ...previous, ...zone, ...noteWeight(athlete.at('weight').value, previous, now) },
  };
}
