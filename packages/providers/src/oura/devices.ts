import type { SeenDevice } from '@pulsewire/contract';
import { errorCode } from '@pulsewire/kernel';
import { deviceOf, textOrNull } from '../kit/records/recorded-by.ts';
import type { ProviderHttp, PullUser } from '../kit/types/connector.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { ouraSlug, ring } from './oura.ts';

export const ringScope = 'ring_configuration';
/** More rings than anyone has owned. */
const ringsMax = 20;
/** The list is no data: what Oura withholds of it, or does not know, must not end a link or a poll. */
const withheld = new Set(['provider_account_state', 'provider_token_expired', 'provider_scope_missing', 'provider_permanent']);

/** A ring in the account facts. */
interface AccountRing {
  readonly id: string;
  readonly model: string | null;
  readonly version: string | null;
}

/** The user's rings; null when Oura does not report them. */
export async function readRings(http: ProviderHttp): Promise<readonly AccountRing[] | null> {
  try {
    const { body } = await http.get('/v2/usercollection/ring_configuration');
    const rings = readEach('ring', new JsonNode(body).at('data'), [], (item): AccountRing | undefined => {
      const id = textOrNull(item.at('id'));
      return id === null
        ? undefined
        : { id, model: textOrNull(item.at('hardware_type')), version: textOrNull(item.at('firmware_version')) };
    });
    return rings.slice(0, ringsMax);
  } catch (error) {
    if (!withheld.has(errorCode(error) ?? '')) throw error;
    return null;
  }
}

/** The rings in the account facts. No record names the ring that it comes from. */
export function ringsOfAccount(user: PullUser): readonly SeenDevice[] {
  const list = user.account['rings'];
  return (Array.isArray(list) ? (list as readonly AccountRing[]) : []).flatMap(({ id, model, version }) => {
    const facts = { externalId: id, sourceType: ring, manufacturer: 'Oura', model, version };
    return deviceOf({ provider: ouraSlug, user }, facts) ?? [];
  });
}
