import { JsonNode, readWhole } from '../kit/json-node.ts';
import { offsetZoneName } from '../kit/offset-zone.ts';
import type { AccountContext, AccountFacts } from '../kit/types.ts';
import { readClocks } from './read-time.ts';

/**
 * Whose account it is, which only answers of data say, and this is the smallest of them; and where the user's clocks stood at the
 * last reading, so that a day is asked for when it begins for them.
 */
export async function readDexcomAccount({ http, previous = {} }: AccountContext): Promise<AccountFacts> {
  const { body } = await http.get('/v3/users/self/dataRange');
  const range = new JsonNode(body);
  const offset = readWhole('glucose', [], () => range.at('egvs').optional((egvs) => readClocks(egvs.at('end')).offset)) ?? null;
  const facts = offset === null ? {} : { time_zone: offsetZoneName(offset) };
  return { providerUserId: range.at('userId').optional((node) => node.id()), account: { ...previous, ...facts } };
}
