import { run } from '@pulsewire/database';
import type { CreateWebhookBody, WebhookBody } from '@pulsewire/contract';
import { uuidv7 } from '@pulsewire/kernel';
import { createSecret, parseSecret } from '../sign.ts';
import { webhookEndpoints } from '../tables.ts';
import { checkFilterTypes, checkUrl } from './checks.ts';
import type { EndpointContext } from './context.ts';
import { toWebhookBody } from './row.ts';
import { sealSecret } from './sealed.ts';

/**
 * Makes an endpoint; every event committed from then on reaches it. Throws AppErrors of kind `invalid`: `endpoint_url_refused`,
 * `event_type_unknown`, `secret_invalid`.
 */
export async function createEndpoint(context: EndpointContext, teamId: string, body: CreateWebhookBody): Promise<WebhookBody> {
  const { database, cipher, clock, guard } = context;
  const url = checkUrl(body.url, guard);
  const filterTypes = checkFilterTypes(body.filter_types);
  const secret = body.secret ?? createSecret();
  parseSecret(secret);
  const now = clock.now();
  const endpointId = uuidv7(now.getTime());
  const values = {
    endpointId,
    teamId,
    url,
    description: body.description ?? '',
    filterTypes,
    rateLimit: body.rate_limit,
    isDisabled: body.disabled ?? false,
    disabledReason: body.disabled ? 'requested' : null,
    secret: sealSecret(cipher, endpointId, secret),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
  const [row] = await run(database.orm.insert(webhookEndpoints).values(values).returning());
  return toWebhookBody(row as NonNullable<typeof row>);
}
