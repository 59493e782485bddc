import { run } from '@pulsewire/database';
import type { UpdateWebhookHeadersBody, WebhookHeadersBody } from '@pulsewire/contract';
import { webhookEndpoints } from '../model/tables.ts';
import { checkHeaders } from '../model/checks.ts';
import type { EndpointContext } from '../model/context.ts';
import { byTeamAndId, findEndpointRow } from '../model/endpoint-row.ts';
import { openHeaders, sealHeaders } from '../model/sealed.ts';

// Names whose values are always treated as secrets.
const secretLike = /^(authorization|cookie|.*(token|secret|password|api-?key).*)$/i;

/** Returns the team's custom headers; sensitive ones by name only. Throws AppError `endpoint_not_found`. */
export async function getHeaders({ database, cipher }: EndpointContext, teamId: string, endpointId: string): Promise<WebhookHeadersBody> {
  const row = await findEndpointRow(database, teamId, endpointId);
  const hidden = new Set(row.sensitiveHeaders.map((name) => name.toLowerCase()));
  const shown = Object.entries(openHeaders(cipher, endpointId, row.headers)).filter(([name]) => !hidden.has(name.toLowerCase()));
  return { headers: Object.fromEntries(shown), sensitive: row.sensitiveHeaders };
}

/**
 * Replaces the team's custom headers. A name in `sensitive` without a value keeps its current value, so that a response can be written back
 * unchanged. Throws AppErrors `endpoint_not_found`, `header_refused`.
 */
export async function putHeaders(
  context: EndpointContext,
  teamId: string,
  endpointId: string,
  body: UpdateWebhookHeadersBody,
): Promise<void> {
  const { database, cipher, clock } = context;
  await database.transaction(async (tx) => {
    const row = await findEndpointRow(tx, teamId, endpointId, 'for_update');
    const named = new Set((body.sensitive ?? []).map((name) => name.toLowerCase()));
    const given = new Set(Object.keys(body.headers).map((name) => name.toLowerCase()));
    const kept = Object.entries(openHeaders(cipher, endpointId, row.headers)).filter(
      ([name]) => named.has(name.toLowerCase()) && !given.has(name.toLowerCase()),
    );
    const headers = checkHeaders({ ...Object.fromEntries(kept), ...body.headers });
    const sensitive = Object.keys(headers).filter((name) => named.has(name.toLowerCase()) || secretLike.test(name));
    await run(
      tx.orm
        .update(webhookEndpoints)
        .set({ headers: sealHeaders(cipher, endpointId, headers), sensitiveHeaders: sensitive, updatedAt: clock.now().toISOString() })
        .where(byTeamAndId(teamId, endpointId)),
    );
  });
}
