import { JsonNode } from '../kit/values/json-node.ts';
import { extendZoneHistory, readZoneHistory } from '../kit/time/zone-history.ts';
import { addDays, msToDay } from '../kit/time/days.ts';
import { readUnlessMissing } from '../kit/http/read-optional.ts';
import type { AccountContext, AccountFacts, ProviderHttp } from '../kit/types/connector.ts';
import { readLatestZone } from './day.ts';

/** The first of these keys that has a value, at the top level or under `data`. */
function firstOf(body: unknown, keys: readonly string[]): JsonNode | undefined {
  const root = new JsonNode(body);
  return keys.flatMap((key) => [root.at(key), root.at('data').at(key)]).find((node) => !node.isMissing);
}

/** Days whose metrics are read for the zone: the present one may have none yet, and not every form of the response states it. */
const daysRead = 2;

async function readZone(http: ProviderHttp, now: Date): Promise<string | null> {
  const today = msToDay(now.getTime());
  for (let ago = 0; ago < daysRead; ago++) {
    const metrics = await readUnlessMissing(http, '/user_data/metrics', { date: addDays(today, -ago) });
    const zone = readLatestZone(metrics?.body);
    if (zone !== null) return zone;
  }
  return null;
}

/** The user's id and zone. Where the user's record has no zone, the metrics of the last days may. */
export async function readUltrahumanAccount({ http, previous = {}, now = new Date() }: AccountContext): Promise<AccountFacts> {
  const { body } = await http.get('/user_data/user_info');
  const named = firstOf(body, ['timezone', 'time_zone'])?.value;
  const zone = typeof named === 'string' ? named : await readZone(http, now);
  const zones = zone === null ? {} : { time_zones: extendZoneHistory(readZoneHistory(previous), zone, now) };
  return { providerUserId: firstOf(body, ['user_id', 'id'])?.id() ?? null, account: { ...previous, ...zones } };
}
