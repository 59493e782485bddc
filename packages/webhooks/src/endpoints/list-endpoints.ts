import { run } from '@pulsewire/database';
import type { WebhookBody, WebhookListBody, WebhookListQuery } from '@pulsewire/contract';
import { and, eq, sql } from 'drizzle-orm';
import { webhookEndpoints as endpoints } from '../model/tables.ts';
import type { EndpointContext } from '../model/context.ts';
import { decodeCursor, encodeCursor } from '../model/cursor.ts';
import { findEndpointRow, toWebhookBody } from '../model/endpoint-row.ts';

const scope = 'endpoints';

/** Lists a team's endpoints, oldest first. Throws AppError `cursor_invalid`. */
export async function listEndpoints({ database }: EndpointContext, teamId: string, query: WebhookListQuery): Promise<WebhookListBody> {
  const after = query.next_cursor === undefined ? null : decodeCursor(scope, query.next_cursor);
  const isFurther =
    after === null ? undefined : sql`(${endpoints.createdAt}, ${endpoints.endpointId}) > (${after.at}::timestamptz, ${after.id}::uuid)`;
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
