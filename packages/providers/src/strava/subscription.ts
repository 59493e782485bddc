import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { AppSubscription, AppSubscriptionCall, LoginResponse, LoginRequest } from '../kit/types/connector.ts';
import { classifyStrava } from './classify.ts';

const path = '/push_subscriptions';
const checkEveryMs = 86_400_000;

async function send({ http }: AppSubscriptionCall, request: Omit<LoginRequest, 'path'> & { readonly id?: string }): Promise<LoginResponse> {
  const { id, ...rest } = request;
  const response = await http.send({ ...rest, path: id === undefined ? path : `${path}/${encodeURIComponent(id)}` });
  const isGone = response.status === 404 && request.method === 'DELETE';
  if ((response.status >= 200 && response.status < 300) || isGone) return response;
  const { code, retryAfterMs } = classifyStrava(response);
  // No user's token is involved: the application itself was rejected.
  const own = code === 'provider_token_expired' || code === 'provider_scope_missing' ? 'provider_permanent' : code;
  throw providerError(own, { status: response.status, method: request.method }, retryAfterMs);
}

/**
 * The one subscription that an application can have: kept if it calls our address, else recreated. It does not expire, but may
 * have been deleted, so it is checked once a day. Its id is stored to check pushes against.
 */
export async function ensureSubscription(call: AppSubscriptionCall): Promise<AppSubscription> {
  const { application, address, now } = call;
  const client = { client_id: application.clientId, client_secret: application.clientSecret };
  const kept = (id: string): AppSubscription => ({ state: { id }, secret: id, renewAt: new Date(now.getTime() + checkEveryMs) });
  const list = await send(call, { method: 'GET', query: client });
  const found = readEach('subscription', new JsonNode(list.body), [], (item) => ({
    id: item.at('id').id(),
    callbackUrl: item.at('callback_url').value,
  }));
  for (const { id, callbackUrl } of found) {
    if (callbackUrl === address.callbackUrl) return kept(id);
    await send(call, { method: 'DELETE', id, query: client });
  }
  const form = { ...client, callback_url: address.callbackUrl, verify_token: address.verificationCode };
  const { body } = await send(call, { method: 'POST', form });
  const id = new JsonNode(body).at('id').value;
  if (typeof id !== 'number' && typeof id !== 'string') throw providerError('provider_transient', { reason: 'no_subscription_id' });
  return kept(String(id));
}
