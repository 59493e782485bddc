import { AppError, isUuid } from '@pulsewire/kernel';
import type { Executor } from '@pulsewire/database';

/** Finds the team of an endpoint, for operators, who pass only an endpoint id. Throws AppError `endpoint_not_found`. */
export async function findEndpointTeam({ sql }: Executor, endpointId: string): Promise<string> {
  const [row] = isUuid(endpointId)
    ? await sql<{ team_id: string }[]>`SELECT team_id FROM webhook_endpoints WHERE endpoint_id = ${endpointId}`
    : [];
  if (row === undefined)
    throw new AppError({ code: 'endpoint_not_found', kind: 'not_found', message: 'There is no such webhook endpoint' });
  return row.team_id;
}
