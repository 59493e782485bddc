import type { Executor } from '@pulsewire/database';

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
