import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { offsetZoneName } from '../kit/time/offset-zone.ts';
import type { AccountContext, AccountFacts } from '../kit/types/connector.ts';
import { readTime } from './map-glucose.ts';
import { readLatest } from './readings.ts';

/** The user's zone, from the clock of the last reading; Share returns no other account facts. */
export async function readDexcomAccount({ http, previous = {}, providerUserId = null }: AccountContext): Promise<AccountFacts> {
  const { body } = await readLatest(http, 1);
  const [last] = readEach('glucose', new JsonNode(body), [], readTime);
  const zone = last?.offset == null ? {} : { time_zone: offsetZoneName(last.offset) };
  return { providerUserId, account: { ...previous, ...zone } };
}
