import { run } from '@pulsewire/database';
import type { CreateWebhookBody, WebhookBody } from '@pulsewire/contract';
import { uuidv7 } from '@pulsewire/kernel';
import { createSecret, parseSecret } from '../sign.ts';
import { newSigningColumns } from '../signing/signing-columns.ts';
import { webhookEndpoints } from '../tables.ts';
import { allChecks, checkFilterTypes, checkSchedule, checkSkipSuperseded, checkUrl } from './checks.ts';
import type { EndpointContext } from './context.ts';
import { toWebhookBody } from './row.ts';
import { sealSecret } from './sealed.ts';

/**
 * Makes an endpoint; every event committed from then on reaches it. Throws AppErrors of kind `invalid`: `endpoint_url_refused`,
 * `event_type_unknown`, `secret_invalid`, `schedule_invalid`, `skip_superseded_refused`; `endpoint_refused` for several of them.
 */
export async function createEndpoint(context: EndpointContext, teamId: string, body: CreateWebhookBody): Promise<WebhookBody> {
  const { database, cipher, clock } = context;
  const ordering = body.ordering ?? 'none';
  const secret = body.secret ?? createSecret();
  const checked = allChecks({
    url: () => checkUrl(body.url, context),
    filterTypes: () => checkFilterTypes(body.filter_types),
    secret: () => void parseSecret(secret),
    skipSuperseded: () => checkSkipSuperseded(ordering, body.skip_superseded ?? false),
    retrySchedule: () => checkSchedule(body.schedule, context),
  });
  const now = clock.now().toISOString();
  const endpointId = uuidv7(clock.now().getTime());
  const signature = body.signature ?? 'v1';
  const values = {
    ...checked,
    endpointId,
    teamId,
    description: body.description ?? '',
    rateLimit: body.rate_limit,
    isDisabled: body.disabled ?? false,
    disabledReason: body.disabled ? 'requested' : null,
    disabledAt: body.disabled ? now : null,
    ordering,
    signature,
    ...(signature === 'v1' ? {} : newSigningColumns(cipher, endpointId)),
    sendsSvixHeaders: body.svix_headers ?? true,
    secret: sealSecret(cipher, endpointId, secret),
    createdAt: now,
    updatedAt: now,
  };
  const [row] = await run(database.orm.insert(webhookEndpoints).values(values).returning());
  return toWebhookBody(row as NonNullable<typeof row>);
}
