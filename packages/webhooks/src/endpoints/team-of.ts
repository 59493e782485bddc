import { AppError, isUuid } from '@pulsewire/kernel';
import { eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { webhookEndpoints } from '../model/tables.ts';

/** Finds the team of an endpoint, for operators, who pass only an endpoint id. Throws AppError `endpoint_not_found`. */
export async function findEndpointTeam({ orm }: Executor, endpointId: string): Promise<string> {
  const [row] = isUuid(endpointId)
    ? await run(orm.select({ teamId: webhookEndpoints.teamId }).from(webhookEndpoints).where(eq(webhookEndpoints.endpointId, endpointId)))
    : [];
  if (row === undefined)
    throw new AppError({ code: 'endpoint_not_found', kind: 'not_found', message: 'There is no such webhook endpoint' });
  return row.teamId;
}
