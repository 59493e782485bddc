import { extendZoneHistory, readZoneHistory } from '../kit/time/zone-history.ts';
import type { AccountContext, AccountFacts } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { userPath } from './my-fitness-pal.ts';

/** The user's id, which every call names, and their zone, from which days of the diary start. */
export async function readMyFitnessPalAccount(context: AccountContext): Promise<AccountFacts> {
  const { http, providerUserId = null, previous = {}, now = new Date() } = context;
  if (providerUserId === null) return { providerUserId, account: previous };
  const { body } = await http.get(userPath(providerUserId, 'location_preferences'));
  const zone = new JsonNode(body).at('item').at('location_preferences').at('time_zone').value;
  const zones = typeof zone === 'string' ? { time_zones: extendZoneHistory(readZoneHistory(previous), zone, now) } : {};
  return { providerUserId, account: { ...previous, user_id: providerUserId, ...zones } };
}
