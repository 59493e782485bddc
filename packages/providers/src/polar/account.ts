import { isAppError } from '@pulsewire/kernel';
import { JsonNode } from '../kit/values/json-node.ts';
import { offsetZoneName } from '../kit/time/offset-zone.ts';
import type { AccountContext, AccountFacts, ProviderHttp } from '../kit/types/connector.ts';
import { knownPoints, mergePoints, pointsOf, readNightClocks } from './time/clock.ts';
import { readNights } from './polar.ts';

/**
 * Polar shows no data before the user is registered with the application. Returns the user's id. Status 409 means that the user
 * is already registered, which counts as success. `member-id` is the user's id at Polar: several of our users may be the same one
 * there.
 */
async function register(http: ProviderHttp, providerUserId: string): Promise<string> {
  try {
    const { body } = await http.post('/users', { json: { 'member-id': providerUserId } });
    return new JsonNode(body).at('polar-user-id').optional((node) => node.id()) ?? providerUserId;
  } catch (error) {
    if (!isAppError(error) || error.details?.['status'] !== 409) throw error;
    return providerUserId;
  }
}

/**
 * Registers the user, and stores the user's UTC offsets: only nights contain them, and Polar lists only those of the last four
 * weeks.
 */
export async function readPolarAccount({ http, providerUserId, previous = {} }: AccountContext): Promise<AccountFacts> {
  const id = providerUserId == null ? null : await register(http, providerUserId);
  const { body } = await readNights(http);
  const clock = mergePoints(knownPoints(previous), pointsOf(readNightClocks(body)));
  const offset = clock.at(-1)?.offset;
  const zone = offset === undefined ? {} : { time_zone: offsetZoneName(offset) };
  return { providerUserId: id, account: { ...previous, ...zone, clock } };
}
