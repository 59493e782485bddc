import { providerError } from '../../kit/http/provider-error.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import type { AppSubscription, AppSubscriptionCall } from '../../kit/types/connector.ts';
import { classifyGoogleHealth } from '../classify.ts';
import { readKeyset, type PushKey } from './keyset.ts';

/** What verifies a notification. */
export interface PushSecret {
  /** The text that Google sends as `Authorization`: the operator registers it with the address. */
  readonly authorization: string;
  readonly keys: readonly PushKey[];
}

const keysetPath = '/googlehealthapi/webhooks/webhooks_public_keyset.json';
/** Google's keys change about every month, and old and new ones overlap. */
const readEveryMs = 12 * 3_600_000;

export const authorizationOf = (verificationCode: string): string => `Bearer ${verificationCode}`;

/** The subscriber belongs to the Google Cloud project and is created there by the operator; what is kept here are Google's keys. */
export async function ensureKeys({ http, address, known, now }: AppSubscriptionCall): Promise<AppSubscription> {
  const response = await http.send({ method: 'GET', path: keysetPath, region: 'keys' });
  if (response.status !== 200) {
    const { code, retryAfterMs } = classifyGoogleHealth(response);
    throw providerError(code, { status: response.status }, retryAfterMs);
  }
  const keys = readKeyset(response.body);
  // An unreadable keyset must not replace one that works.
  if (keys.length === 0 && known?.secret != null) throw providerError('provider_transient', { reason: 'no_keys' });
  const secret: PushSecret = { authorization: authorizationOf(address.verificationCode), keys };
  return { state: { keys: keys.length }, secret: JSON.stringify(secret), renewAt: new Date(now.getTime() + readEveryMs) };
}

/** The stored secret; null when there is none or it cannot be read. */
export function readSecret(text: string | null): PushSecret | null {
  if (text === null) return null;
  const secret = new JsonNode(JSON.parse(text) as unknown);
  const keys = readEach('keyset', secret.at('keys'), [], (key) => ({
    id: key.at('id').amount(),
    x: key.at('x').text(),
    y: key.at('y').text(),
  }));
  return { authorization: secret.at('authorization').text(), keys };
}
