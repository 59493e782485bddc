import { count, eq } from 'drizzle-orm';
import { run, takeLock, type Tx } from '@pulsewire/database';
import type { CreateWebhookBody, WebhookBody } from '@pulsewire/contract';
import { AppError, uuidv7 } from '@pulsewire/kernel';
import { createSecret, parseSecret } from '../signing/sign.ts';
import { newSigningColumns } from '../signing/signing-columns.ts';
import { webhookEndpoints } from '../model/tables.ts';
import { allChecks, checkFilterTypes, checkSchedule, checkSkipSuperseded, checkUrl } from '../model/checks.ts';
import type { EndpointContext } from '../model/context.ts';
import { toWebhookBody } from '../model/endpoint-row.ts';
import { sealSecret } from '../model/sealed.ts';

/** Most endpoints of a team, including disabled ones. */
export const endpointsMax = 100;

// Locks the team, because concurrent requests could otherwise each pass the check and exceed the limit.
async function assertRoom(tx: Tx, teamId: string): Promise<void> {
  await takeLock(tx, 'named', `webhook_endpoints:${teamId}`);
  const [row] = await run(tx.orm.select({ count: count() }).from(webhookEndpoints).where(eq(webhookEndpoints.teamId, teamId)));
  if ((row?.count ?? 0) < endpointsMax) return;
  throw new AppError({
    code: 'endpoints_exhausted',
    kind: 'conflict',
    message: `A team may have ${endpointsMax} webhook endpoints; delete one first`,
  });
}

/**
 * Creates an endpoint; every event committed afterwards reaches it. Throws AppErrors of kind `invalid`: `endpoint_url_refused`,
 * `event_type_unknown`, `secret_invalid`, `schedule_invalid`, `skip_superseded_refused`; `endpoint_refused` when several apply;
 * `endpoints_exhausted` (conflict) when the team has reached its limit.
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
  const [row] = await database.transaction(async (tx) => {
    await assertRoom(tx, teamId);
    return run(tx.orm.insert(webhookEndpoints).values(values).returning());
  });
  return toWebhookBody(row as NonNullable<typeof row>);
}
