import { and, asc, eq, gt, isNull, ne } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { run, type Database } from '@pulsewire/database';
import type { Connector } from '@pulsewire/providers';
import { connections } from '../model/tables.ts';

/** A user whose connections may belong to one person, which the successor's consent does not show. */
export interface WaitingHandover {
  readonly teamId: string;
  readonly userId: string;
  readonly from: string;
  readonly to: string;
}

const pageSize = 1000;

/**
 * Users who have both an ending connection and its successor, where the successor's account does not name the person, because it was linked
 * before the scope for it was requested: nothing is handed over until they consent again. In the order of users; of all teams, or of one.
 */
export async function* findWaitingHandovers(
  { orm }: Database,
  connectors: readonly Pick<Connector, 'slug' | 'succeedsPerResource'>[],
  onlyTeamId: string | null = null,
): AsyncGenerator<WaitingHandover> {
  const ending = alias(connections, 'ending');
  const { teamId, userId, provider, status, demoDueAt, account } = connections;
  for (const { slug, succeedsPerResource: rule } of connectors) {
    if (!rule) continue;
    const isEnding = and(
      eq(ending.userId, userId),
      eq(ending.teamId, teamId),
      eq(ending.provider, rule.provider),
      isNull(ending.demoDueAt),
    );
    const where = and(eq(provider, slug), ne(status, 'error'), isNull(demoDueAt), onlyTeamId === null ? undefined : eq(teamId, onlyTeamId));
    for (let after: string | null = null; ;) {
      const rows: readonly { teamId: string; userId: string; account: Readonly<Record<string, unknown>> }[] = await run(
        orm
          .select({ teamId, userId, account })
          .from(connections)
          .innerJoin(ending, isEnding)
          .where(and(where, after === null ? undefined : gt(userId, after)))
          .orderBy(asc(userId))
          .limit(pageSize),
      );
      for (const row of rows)
        if (rule.accountOf(row.account) === null) yield { teamId: row.teamId, userId: row.userId, from: rule.provider, to: slug };
      if (rows.length < pageSize) break;
      after = rows.at(-1)?.userId ?? null;
    }
  }
}
