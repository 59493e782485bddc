import { JsonNode, readEach } from '../kit/json-node.ts';
import { parseInstant } from '../kit/time.ts';
import { providerError } from '../kit/provider-error.ts';
import type { AppSubscription, AppSubscriptionCall, LoginAnswer, LoginRequest } from '../kit/types.ts';
import { classifyOura } from './classify.ts';

/** What the pulls follow; `heartrate` is no kind that Oura pushes. */
export const dataTypes = [
  'daily_activity',
  'daily_readiness',
  'daily_sleep',
  'daily_spo2',
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
const dayMs = 86_400_000;
/** Looked at every week; what ends within a month is renewed, so that several looks may fail. */
const lookEveryMs = 7 * dayMs;
const renewBeforeMs = 30 * dayMs;

const keyOf = (eventType: string, dataType: string) => `${eventType} ${dataType}`;

function readSubscription(item: JsonNode): Subscription {
  const expires = item.at('expiration_time').optional((node) => node.text());
  // Seen without an offset, then UTC is meant.
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
  return async (request: LoginRequest, alsoFine: readonly number[] = []): Promise<LoginAnswer> => {
    const answer = await http.send({ ...request, headers });
    const isFine = (answer.status >= 200 && answer.status < 300) || alsoFine.includes(answer.status);
    if (isFine) return answer;
    const { code, retryAfterMs } = classifyOura(answer);
    throw providerError(code, { status: answer.status, method: request.method }, retryAfterMs);
  };
}

/** One subscription for each kind of event and data; what is there is kept, what ends soon renewed, what calls elsewhere replaced. */
export async function ensureSubscriptions(call: AppSubscriptionCall): Promise<AppSubscription> {
  const { address, now } = call;
  const send = createCaller(call);
  const list = await send({ method: 'GET', path });
  const known = new Map(readEach('subscription', new JsonNode(list.body), [], readSubscription).map((found) => [found.key, found]));
  for (const dataType of dataTypes) {
    for (const eventType of eventTypes) {
      const found = known.get(keyOf(eventType, dataType));
      const isOurs = found?.callbackUrl === address.callbackUrl;
      if (found && !isOurs) await send({ method: 'DELETE', path: `${path}/${encodeURIComponent(found.id)}` }, [404]);
      if (found && isOurs) {
        const endsSoon = found.expiresMs !== null && found.expiresMs - now.getTime() < renewBeforeMs;
        if (endsSoon) await send({ method: 'PUT', path: `${path}/renew/${encodeURIComponent(found.id)}` });
        continue;
      }
      const json = {
        callback_url: address.callbackUrl,
        verification_token: address.verificationCode,
        event_type: eventType,
        data_type: dataType,
      };
      // 409: the pair is there already, made by another process of ours meanwhile.
      await send({ method: 'POST', path, json }, [409]);
    }
  }
  return { state: { subscriptions: dataTypes.length * eventTypes.length }, secret: null, renewAt: new Date(now.getTime() + lookEveryMs) };
}
