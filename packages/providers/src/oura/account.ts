import { errorCode } from '@pulsewire/kernel';
import { JsonNode } from '../kit/values/json-node.ts';
import { readRings, ringScope } from './devices.ts';
import type { AccountContext, AccountFacts } from '../kit/types/connector.ts';

/**
 * The user's id at Oura, the rings, and since when the current weight applies: Oura reports no earlier ones. Without the scope `personal`
 * Oura does not report the user id, and its pushes cannot be matched.
 */
export async function readOuraAccount({ http, grantedScopes, previous = {}, now }: AccountContext): Promise<AccountFacts> {
  try {
    const { body } = await http.get('/v2/usercollection/personal_info');
    const info = new JsonNode(body);
    const weight = info.at('weight').value;
    const isSame = weight === previous['weight_kg'] && typeof previous['weight_day'] === 'string';
    const day = isSame ? previous['weight_day'] : (now?.toISOString().slice(0, 10) ?? null);
    const facts = typeof weight === 'number' ? { weight_kg: weight, weight_day: day } : {};
    const rings = grantedScopes.includes(ringScope) ? await readRings(http) : null;
    return {
      providerUserId: info.at('id').optional((node) => node.id()),
      account: { ...previous, ...facts, ...(rings !== null && { rings }) },
    };
  } catch (error) {
    const isWithoutScope = errorCode(error) === 'provider_token_expired' && !grantedScopes.includes('personal');
    if (!isWithoutScope) throw error;
    return { providerUserId: null, account: { ...previous } };
  }
}
