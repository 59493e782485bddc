import type { WebhookBody, WebhookListBody, WebhookListQuery } from '@pulsewire/contract';
import { run, type Executor } from '@pulsewire/database';
import { AppError, isUuid } from '@pulsewire/kernel';
import { and, eq, sql as fragment } from 'drizzle-orm';
import type { EndpointContext } from '../model/context.ts';
import { decodeCursor, encodeCursor } from '../model/cursor.ts';
import { findEndpointRow, toWebhookBody } from '../model/endpoint-row.ts';
import { webhookEndpoints as endpoints, webhookEndpoints } from '../model/tables.ts';
import { jitterShare } from '../model/time/retry-schedule.ts';

const scope = 'endpoints';

/** Lists a team's endpoints, oldest first. Throws AppError `cursor_invalid`. */
export async function listEndpoints({ database }: EndpointContext, teamId: string, query: WebhookListQuery): Promise<WebhookListBody> {
  const after = query.next_cursor === undefined ? null : decodeCursor(scope, query.next_cursor);
  const isFurther =
    after === null
      ? undefined
      : fragment`(${endpoints.createdAt}, ${endpoints.endpointId}) > (${after.at}::timestamptz, ${after.id}::uuid)`;
  const rows = await run(
    database.orm
      .select()
      .from(endpoints)
      .where(and(eq(endpoints.teamId, teamId), isFurther))
      .orderBy(endpoints.createdAt, endpoints.endpointId)
      .limit(query.limit + 1),
  );
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const isLastPage = rows.length <= query.limit || last === undefined;
  return { data: page.map(toWebhookBody), next_cursor: isLastPage ? null : encodeCursor(scope, last.createdAt, last.endpointId) };
}

/** One endpoint. Throws AppError `endpoint_not_found`. */
export async function getEndpoint({ database }: EndpointContext, teamId: string, endpointId: string): Promise<WebhookBody> {
  return toWebhookBody(await findEndpointRow(database, teamId, endpointId));
}

/** An endpoint as operators see it, over all teams. */
export interface EndpointOverview {
  readonly endpointId: string;
  readonly teamId: string;
  readonly url: string;
  readonly disabledReason: string | null;
  readonly failingSince: Date | null;
  /** Waiting deliveries; counting stops at 1,000. */
  readonly waiting: number;
}

const waitingMax = 1000;

/** Lists endpoints of all teams or of one, oldest first; the next page begins after the last id of this one. */
export async function listAllEndpoints(
  { sql }: Executor,
  { teamId, afterId, limit }: { readonly teamId: string | null; readonly afterId: string | null; readonly limit: number },
): Promise<readonly EndpointOverview[]> {
  const rows = await sql<
    {
      endpoint_id: string;
      team_id: string;
      url: string;
      is_disabled: boolean;
      disabled_reason: string | null;
      failing_since: string | null;
      waiting: number;
    }[]
  >`
    SELECT e.endpoint_id, e.team_id, e.url, e.is_disabled, e.disabled_reason, e.failing_since,
           (SELECT count(*)::int FROM (SELECT FROM webhook_pending p WHERE p.endpoint_id = e.endpoint_id LIMIT ${waitingMax}) w) AS waiting
    FROM webhook_endpoints e
    WHERE (${teamId}::uuid IS NULL OR e.team_id = ${teamId}::uuid) AND (${afterId}::uuid IS NULL OR e.endpoint_id > ${afterId}::uuid)
    ORDER BY e.endpoint_id LIMIT ${limit}`;
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    teamId: row.team_id,
    url: row.url,
    disabledReason: row.is_disabled ? (row.disabled_reason ?? 'requested') : null,
    failingSince: row.failing_since === null ? null : new Date(row.failing_since),
    waiting: row.waiting,
  }));
}

/** Finds the team of an endpoint, for operators, who pass only an endpoint id. Throws AppError `endpoint_not_found`. */
export async function findEndpointTeam({ orm }: Executor, endpointId: string): Promise<string> {
  const [row] = isUuid(endpointId)
    ? await run(orm.select({ teamId: webhookEndpoints.teamId }).from(webhookEndpoints).where(eq(webhookEndpoints.endpointId, endpointId)))
    : [];
  if (row === undefined)
    throw new AppError({ code: 'endpoint_not_found', kind: 'not_found', message: 'There is no such webhook endpoint' });
  return row.teamId;
}

/** An endpoint whose last attempts may be due after its events were dropped. */
export interface LongSchedule {
  readonly endpointId: string;
  readonly teamId: string;
  /** Its longest possible total wait in days, rounded up. */
  readonly days: number;
}

/**
 * Finds endpoints whose custom schedule may outlast the retention of events, which happens when retention was shortened after the schedule
 * was set.
 */
export async function findLongSchedules({ sql }: Executor, keptDays: number, limit = 100): Promise<readonly LongSchedule[]> {
  const rows = await sql<{ endpoint_id: string; team_id: string; days: number }[]>`
    SELECT e.endpoint_id, e.team_id, ceil(w.seconds * ${1 + jitterShare}::float8 / 86400)::int AS days
    FROM webhook_endpoints e CROSS JOIN LATERAL (SELECT sum(s) AS seconds FROM unnest(e.retry_schedule) AS s) w
    WHERE e.retry_schedule IS NOT NULL AND w.seconds * ${1 + jitterShare}::float8 > ${keptDays}::float8 * 86400
    ORDER BY days DESC, e.endpoint_id LIMIT ${limit}`;
  return rows.map((row) => ({ endpointId: row.endpoint_id, teamId: row.team_id, days: row.days }));
}
