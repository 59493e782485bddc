import { and, eq } from 'drizzle-orm';
import { AppError, isUuid } from '@pulsewire/kernel';
import { renderDateTime, type WebhookBody } from '@pulsewire/contract';
import { run, type Executor } from '@pulsewire/database';
import { webhookEndpoints } from './tables.ts';
import { renderInstant } from './time/instants.ts';

export type EndpointRow = typeof webhookEndpoints.$inferSelect;

/** Matches an endpoint only if it belongs to the team. */
export const byTeamAndId = (teamId: string, endpointId: string) =>
  and(eq(webhookEndpoints.teamId, teamId), eq(webhookEndpoints.endpointId, endpointId));

/** Reads a team's endpoint. Throws AppError `endpoint_not_found`, also for another team's endpoint. */
export async function findEndpointRow(
  { orm }: Executor,
  teamId: string,
  endpointId: string,
  lock: 'for_update' | 'none' = 'none',
): Promise<EndpointRow> {
  const query = orm.select().from(webhookEndpoints).where(byTeamAndId(teamId, endpointId));
  const [row] = isUuid(endpointId) ? await run(lock === 'for_update' ? query.for('update') : query) : [];
  if (row === undefined)
    throw new AppError({ code: 'endpoint_not_found', kind: 'not_found', message: 'There is no such webhook endpoint' });
  return row;
}

/** Reads a team's endpoint and requires it to be enabled. Throws AppErrors `endpoint_not_found`, `endpoint_disabled`. */
export async function findEnabledRow(
  executor: Executor,
  teamId: string,
  endpointId: string,
  lock: 'for_update' | 'none' = 'none',
): Promise<EndpointRow> {
  const row = await findEndpointRow(executor, teamId, endpointId, lock);
  if (row.isDisabled)
    throw new AppError({ code: 'endpoint_disabled', kind: 'invalid', message: 'The endpoint is disabled; enable it first' });
  return row;
}

/** The endpoint as teams see it. */
export function toWebhookBody(row: EndpointRow): WebhookBody {
  return {
    id: row.endpointId,
    description: row.description,
    rate_limit: row.rateLimit,
    url: row.url,
    disabled: row.isDisabled,
    filter_types: row.filterTypes,
    created_at: renderDateTime(Date.parse(row.createdAt)),
    updated_at: renderDateTime(Date.parse(row.updatedAt)),
    ordering: row.ordering,
    skip_superseded: row.skipSuperseded,
    schedule: row.retrySchedule,
    signature: row.signature,
    svix_headers: row.sendsSvixHeaders,
    disabled_reason: row.disabledReason,
    disabled_at: renderInstant(row.disabledAt),
    failing_since: renderInstant(row.failingSince),
  };
}
