import { JsonNode } from '../kit/values/json-node.ts';
import { extendZoneHistory, readZoneHistory } from '../kit/time/zone-history.ts';
import type { AccountContext, AccountFacts, ProviderHttp } from '../kit/types/connector.ts';
import { googleScopes } from './google-health.ts';

const textOrNull = ({ value }: JsonNode): string | null => (typeof value === 'string' && value !== '' ? value : null);

async function readTimeZone(http: ProviderHttp): Promise<string | null> {
  const { body } = await http.get('/v4/users/me/settings');
  return textOrNull(new JsonNode(body).at('timeZone'));
}

/**
 * The facts of the account that pulls need: the zone with its history, and the id of the Fitbit account that it was, which is how a
 * connection of `fitbit` is matched with the new one. `healthUserId` never changes; notifications contain it.
 */
export async function readGoogleHealthAccount(context: AccountContext): Promise<AccountFacts> {
  const { http, grantedScopes, previous = {}, now } = context;
  const identity = new JsonNode((await http.get('/v4/users/me/identity')).body);
  const timeZone = grantedScopes.includes(googleScopes.settings) ? await readTimeZone(http) : null;
  const history = readZoneHistory(previous);
  const zone =
    timeZone === null ? {} : { time_zone: timeZone, time_zones: now === undefined ? history : extendZoneHistory(history, timeZone, now) };
  return {
    providerUserId: identity.at('healthUserId').optional((node) => node.id()),
    account: { ...previous, legacy_user_id: textOrNull(identity.at('legacyUserId')), ...zone },
  };
}
