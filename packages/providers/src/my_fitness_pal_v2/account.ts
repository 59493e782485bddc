import { errorCode } from '@pulsewire/kernel';
import { extendZoneHistory, readZoneHistory } from '../kit/time/zone-history.ts';
import type { AccountContext, AccountFacts, ProviderHttp } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { userPath } from './my-fitness-pal.ts';

/** The user with their location; undefined where the application may not read it, since the reference names no scope for it. */
async function readLocation(http: ProviderHttp, providerUserId: string): Promise<unknown> {
  try {
    return (await http.get(userPath(providerUserId, 'location_preferences'))).body;
  } catch (error) {
    if (['provider_permanent', 'provider_scope_missing'].includes(errorCode(error))) return undefined;
    throw error;
  }
}

/** The user's id, which every call names, and their zone, in which the days of the diary begin. */
export async function readMyFitnessPalAccount(context: AccountContext): Promise<AccountFacts> {
  const { http, providerUserId = null, previous = {}, now = new Date() } = context;
  if (providerUserId === null) return { providerUserId, account: previous };
  const user = new JsonNode(await readLocation(http, providerUserId)).at('item');
  const zone = user.at('location_preferences').at('time_zone').value;
  const zones = typeof zone === 'string' ? { time_zones: extendZoneHistory(readZoneHistory(previous), zone, now) } : {};
  return { providerUserId, account: { ...previous, user_id: providerUserId, ...zones } };
}
