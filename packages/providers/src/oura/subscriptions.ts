import { errorCode, dayMs } from '@pulsewire/kernel';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { parseInstant } from '../kit/time/time.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { AppSubscription, AppSubscriptionCall, LoginResponse, LoginRequest } from '../kit/types/connector.ts';
import { classifyOura } from './classify.ts';

/** The data types that the pulls read; Oura does not push `heartrate`. */
export const dataTypes = [
  'daily_activity',
  'daily_readiness',
  'daily_sleep',
  'daily_spo2',
  'enhanced_tag',
  'session',
  'sleep',
  'vo2_max',
  'workout',
] as const;
const eventTypes = ['create', 'update', 'delete'] as const;

interface Subscription {
  readonly id: string;
  readonly key: string;
  readonly callbackUrl: string;
  readonly expiresMs: number | null;
}

const path = '/v2/webhook/subscription';
/** Checked every week. A subscription that expires within a month is renewed, so several checks may fail. */
const checkEveryMs = 7 * dayMs;
const renewBeforeMs = 30 * dayMs;

const keyOf = (eventType: string, dataType: string) => `${eventType} ${dataType}`;

function readSubscription(item: JsonNode): Subscription {
  const expires = item.at('expiration_time').optional((node) => node.text());
  // Some values have no offset; they are UTC.
  const instant = expires === null ? undefined : (parseInstant(expires) ?? parseInstant(`${expires}Z`));
  return {
    id: item.at('id').id(),
    key: keyOf(item.at('event_type').text(), item.at('data_type').text()),
    callbackUrl: item.at('callback_url').text(),
    expiresMs: instant?.ms ?? null,
  };
}

function createCaller({ http, application }: AppSubscriptionCall) {
  const headers = { 'x-client-id': application.clientId, 'x-client-secret': application.clientSecret };
  return async (request: LoginRequest, alsoFine: readonly number[] = []): Promise<LoginResponse> => {
    const response = await http.send({ ...request, headers });
    const isFine = (response.status >= 200 && response.status < 300) || alsoFine.includes(response.status);
    if (isFine) return response;
    const { code, retryAfterMs } = classifyOura(response);
    throw providerError(code, { status: response.status, method: request.method }, retryAfterMs);
  };
}

interface Ensuring extends Pick<AppSubscriptionCall, 'address' | 'now'> {
  readonly send: ReturnType<typeof createCaller>;
  readonly known: ReadonlyMap<string, Subscription>;
}

async function create({ send, address }: Ensuring, eventType: string, dataType: string): Promise<void> {
  const json = {
    callback_url: address.callbackUrl,
    verification_token: address.verificationCode,
    event_type: eventType,
    data_type: dataType,
  };
  // 409: the pair already exists, because another of our processes created it meanwhile.
  await send({ method: 'POST', path, json }, [409]);
}

/** Keeps a valid subscription, renews one that expires soon, and recreates one that calls another address or has expired. */
async function ensurePair(ensuring: Ensuring, eventType: string, dataType: string): Promise<void> {
  const { send, known, address, now } = ensuring;
  const found = known.get(keyOf(eventType, dataType));
  if (found?.callbackUrl === address.callbackUrl) {
    const endsSoon = found.expiresMs !== null && found.expiresMs - now.getTime() < renewBeforeMs;
    if (!endsSoon) return;
    const { status } = await send({ method: 'PUT', path: `${path}/renew/${encodeURIComponent(found.id)}` }, [404]);
    if (status !== 404) return;
  } else if (found) await send({ method: 'DELETE', path: `${path}/${encodeURIComponent(found.id)}` }, [404]);
  await create(ensuring, eventType, dataType);
}

/**
 * One subscription for each pair of event type and data type. A data type that Oura rejects is recorded and polled instead; the
 * others continue. Throws when Oura rejects all of them, because the error is then ours.
 */
export async function ensureSubscriptions(call: AppSubscriptionCall): Promise<AppSubscription> {
  const { address, now } = call;
  const send = createCaller(call);
  const list = await send({ method: 'GET', path });
  const known = new Map(readEach('subscription', new JsonNode(list.body), [], readSubscription).map((found) => [found.key, found]));
  const refused: string[] = [];
  for (const dataType of dataTypes) {
    try {
      for (const eventType of eventTypes) await ensurePair({ send, known, address, now }, eventType, dataType);
    } catch (error) {
      refused.push(dataType);
      if (errorCode(error) !== 'provider_permanent' || refused.length === dataTypes.length) throw error;
    }
  }
  const subscriptions = (dataTypes.length - refused.length) * eventTypes.length;
  return { state: { subscriptions, refused }, secret: null, renewAt: new Date(now.getTime() + checkEveryMs) };
}
