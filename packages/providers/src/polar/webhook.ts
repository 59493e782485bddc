import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { AppSubscription, AppSubscriptionCall, LoginResponse, LoginRequest } from '../kit/types/connector.ts';
import { classifyPolar } from './classify.ts';

export const events = ['EXERCISE', 'SLEEP', 'CONTINUOUS_HEART_RATE', 'ACTIVITY_SUMMARY', 'PHYSICAL_INFORMATION'] as const;

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
}

const path = '/webhooks';
/** Checked every day: Polar deactivates a webhook after seven days of failures. */
const checkEveryMs = 86_400_000;

function createCaller({ http, application: { clientId, clientSecret } }: AppSubscriptionCall) {
  return async (request: LoginRequest, alsoFine: readonly number[] = []): Promise<LoginResponse> => {
    const response = await http.send({ ...request, basicAuth: { username: clientId, password: clientSecret } });
    if ((response.status >= 200 && response.status < 300) || alsoFine.includes(response.status)) return response;
    const { code, retryAfterMs } = classifyPolar(response);
    throw providerError(code, { status: response.status, method: request.method }, retryAfterMs);
  };
}

function readWebhook(item: JsonNode): Webhook {
  const names = item.at('events').itemsOrNone();
  return { id: item.at('id').id(), url: item.at('url').text(), events: names.map((name) => name.text()) };
}

/**
 * The one webhook that an application may have. Its secret is shown once, at creation: if the secret is lost, or the address or
 * the events change, the webhook is recreated.
 */
export async function ensureWebhook(call: AppSubscriptionCall): Promise<AppSubscription> {
  const { address, known, now } = call;
  const send = createCaller(call);
  const renewAt = new Date(now.getTime() + checkEveryMs);
  const list = await send({ method: 'GET', path }, [404]);
  const found = list.status === 200 ? readEach('webhook', new JsonNode(list.body).at('data'), [], readWebhook) : [];
  const isOurs = (webhook: Webhook) =>
    webhook.url === address.callbackUrl && webhook.id === known?.state['id'] && events.every((name) => webhook.events.includes(name));
  const ours = found.find(isOurs);
  if (ours && known?.secret != null) {
    // Has no effect on an active webhook.
    await send({ method: 'POST', path: `${path}/activate` }, [400, 404, 409]);
    return { state: { id: ours.id }, secret: known.secret, renewAt };
  }
  for (const { id } of found) await send({ method: 'DELETE', path: `${path}/${encodeURIComponent(id)}` }, [404]);
  const made = await send({ method: 'POST', path, json: { events, url: address.callbackUrl } });
  const data = new JsonNode(made.body).at('data');
  const [id, secret] = [data.at('id').value, data.at('signature_secret_key').value];
  if ((typeof id !== 'string' && typeof id !== 'number') || typeof secret !== 'string') {
    throw providerError('provider_transient', { reason: 'no_secret' });
  }
  return { state: { id: String(id) }, secret, renewAt };
}
