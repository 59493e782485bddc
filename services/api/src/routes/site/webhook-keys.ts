import { JwkSetBody } from '@pulsewire/contract';
import { getJwkSet } from '@pulsewire/webhooks';
import { defineRoute, ok } from '../../route/route.ts';
import { EndpointParams } from '../../schemas/webhooks.ts';

// Keys are replaced with an overlap of a day, so clients that poll every five minutes have the next key long before the last one expires.
const cacheSeconds = 300;

// Per endpoint and not for the whole installation: each endpoint has its own keys, so a receiver accepts nothing signed for
// another endpoint, and no list reveals which endpoints exist. Without a team key, because receivers do not have one.
export const webhookKeysRoute = defineRoute({
  method: 'GET',
  path: '/.well-known/webhook-keys/{webhook_id}',
  operationId: 'getWebhookKeys',
  area: 'webhooks',
  auth: 'none',
  summary: 'Public keys of a webhook endpoint',
  description: 'A JWK set to verify `v1a` signatures. Replaced keys stay in it while they still sign.',
  params: EndpointParams,
  responses: { 200: { description: 'The keys.', schema: JwkSetBody, contentType: 'application/jwk-set+json' } },
  failures: [404],
  async handler(context, { params }) {
    const response = ok(await getJwkSet(context.endpoints, params.webhook_id));
    return { ...response, headers: { 'content-type': 'application/jwk-set+json', 'cache-control': `public, max-age=${cacheSeconds}` } };
  },
});
