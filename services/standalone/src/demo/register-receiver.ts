import type { Receiver } from '@pulsewire/sandbox';
import type { ApiClient } from './client/api-client.ts';

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
}

const description = 'Demo receiver';

/**
 * Registers the receiver as an endpoint of the team, or finds the one of the previous start, and passes the secret to the receiver. Returns
 * the endpoint's id.
 */
export async function registerReceiver(api: ApiClient, receiver: Receiver): Promise<string> {
  const url = new URL('/webhooks', receiver.url).toString();
  const { data } = await api.call<{ data: readonly Webhook[] }>('GET', '/v2/team/webhook?limit=50');
  let webhook = data.find((candidate) => candidate.description === description);
  if (!webhook) webhook = await api.call<Webhook>('POST', '/v2/team/webhook', { body: { url, description } });
  else if (webhook.url !== url) await api.call('PATCH', `/v2/team/webhook/${webhook.id}`, { body: { url } });
  const { key } = await api.call<{ key: string }>('GET', `/v2/team/webhook/${webhook.id}/secret`);
  receiver.setSecrets([key]);
  return webhook.id;
}
