import { JsonNode } from '../kit/values/json-node.ts';
import { extendZoneHistory, readZoneHistory } from '../kit/time/zone-history.ts';
import { readUnlessMissing } from '../kit/http/read-if-there.ts';
import type { AccountContext, AccountFacts } from '../kit/types/connector.ts';
import { readLatestZone } from './day.ts';

/** The first of these keys that has a value, at the top level or under `data`. */
function firstOf(body: unknown, keys: readonly string[]): JsonNode | undefined {
  const root = new JsonNode(body);
  return keys.flatMap((key) => [root.at(key), root.at('data').at(key)]).find((node) => !node.isMissing);
}

/** The user's id and zone. Where the user's record has no zone, the metrics of the present day may. */
export async function readUltrahumanAccount({ http, previous = {}, now = new Date() }: AccountContext): Promise<AccountFacts> {
  const { body } = await http.get('/user_data/user_info');
  const named = firstOf(body, ['timezone', 'time_zone'])?.value;
  const metrics =
    typeof named === 'string' ? null : await readUnlessMissing(http, '/user_data/metrics', { date: now.toISOString().slice(0, 10) });
  const zone = typeof named === 'string' ? named : readLatestZone(metrics?.body);
  const zones = zone === null ? {} : { time_zones: extendZoneHistory(readZoneHistory(previous), zone, now) };
  return { providerUserId: firstOf(body, ['user_id', 'id'])?.id() ?? null, account: { ...previous, ...zones } };
}
