import { JsonNode } from '../kit/values/json-node.ts';
import { noteWeight } from '../kit/records/typed-weight.ts';
import type { AccountContext, AccountFacts, ProviderHttp } from '../kit/types/connector.ts';

type Facts = Readonly<Record<string, unknown>>;

/**
 * The user's UTC offset, from the newest cycle: WHOOP names no zone, and without the offset the user's day would be the UTC day,
 * so a night in Auckland would be requested half a day late. An offset such as `+13:00` serves as a zone name.
 */
async function readOffset(http: ProviderHttp): Promise<Facts> {
  const { body } = await http.get('/v2/cycle', { limit: '1' });
  const records = new JsonNode(body).at('records').value;
  const offset = Array.isArray(records) ? new JsonNode(records[0]).at('timezone_offset').value : undefined;
  if (offset === 'Z') return { time_zone: 'UTC' };
  return typeof offset === 'string' && /^[+-]\d{2}:\d{2}$/.test(offset) ? { time_zone: offset } : {};
}

async function readWeight(http: ProviderHttp, previous: Facts, now: Date | undefined): Promise<Facts> {
  const { body } = await http.get('/v2/user/measurement/body');
  return noteWeight(new JsonNode(body).at('weight_kilogram').value, previous, now);
}

/**
 * When linking, only the user id, so that only one call can fail. Later the user's offset, and the weight with its day; each only
 * if its scope was granted.
 */
export async function readWhoopAccount({ http, grantedScopes, providerUserId, previous = {}, now }: AccountContext): Promise<AccountFacts> {
  const isGranted = (scope: string) => grantedScopes.includes(scope);
  if ((providerUserId ?? null) === null && isGranted('read:profile')) {
    const { body } = await http.get('/v2/user/profile/basic');
    return { providerUserId: new JsonNode(body).at('user_id').optional((node) => node.id()), account: { ...previous } };
  }
  const zone = isGranted('read:cycles') ? await readOffset(http) : {};
  const weight = isGranted('read:body_measurement') ? await readWeight(http, previous, now) : {};
  return { providerUserId: providerUserId ?? null, account: { ...previous, ...zone, ...weight } };
}
