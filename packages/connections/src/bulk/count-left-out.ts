import { and, eq, sql } from 'drizzle-orm';
import { plainArray, run, type Executor } from '@pulsewire/database';
import { connections } from '../model/tables.ts';
import type { ExportOptions } from './export.ts';

/** How many connections an export leaves out, by reason. */
export interface LeftOut {
  /** Made with the platform's application: their tokens are of no use to another system. */
  readonly platformApplication: number;
  /** In error: their tokens are not valid any more. */
  readonly inError: number;
  /** Named users of this team or unknown ones that have no connection to the provider. */
  readonly notConnected: number;
}

/** What all pages of an export leave out together. */
export async function countLeftOut(
  { orm }: Executor,
  { teamId, provider, userIds }: Pick<ExportOptions, 'teamId' | 'provider' | 'userIds'>,
): Promise<LeftOut> {
  const isRequested = and(
    eq(connections.teamId, teamId),
    eq(connections.provider, provider),
    userIds === null ? undefined : sql`${connections.userId} = ANY(${plainArray(userIds)}::uuid[])`,
  );
  const count = (condition: ReturnType<typeof sql>) => sql<number>`count(*) FILTER (WHERE ${condition})::int`;
  const [counts] = await run(
    orm
      .select({
        all: sql<number>`count(*)::int`,
        platform: count(sql`${connections.application} = 'platform' AND ${connections.status} <> 'error'`),
        inError: count(sql`${connections.status} = 'error'`),
      })
      .from(connections)
      .where(isRequested),
  );
  const { all = 0, platform = 0, inError = 0 } = counts ?? {};
  return { platformApplication: platform, inError, notConnected: userIds === null ? 0 : new Set(userIds).size - all };
}
