import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { teams, users } from './tables.ts';

// The one place that answers whether a team, or a user of it, may still act. Whatever is authenticated by something other than an API key asks
// here: phones, link tokens and pages, and providers that call a team's own application. Keys are checked in `authenticateKey`.

/** Whether neither the user nor its team is deleted. */
export async function mayAct({ orm }: Executor, owner: { readonly teamId: string; readonly userId: string }): Promise<boolean> {
  const { teamId, userId } = owner;
  const isLive = and(eq(users.userId, userId), eq(users.teamId, teamId), isNull(users.deletedAt), isNull(teams.deletedAt));
  const found = orm
    .select({ one: sql`1` })
    .from(users)
    .innerJoin(teams, eq(teams.teamId, users.teamId));
  return (await run(found.where(isLive))).length > 0;
}

/** Those of the teams that are not deleted. */
export async function actingTeams({ orm }: Executor, teamIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (teamIds.length === 0) return new Set();
  const { teamId, deletedAt } = teams;
  const isLive = and(inArray(teamId, [...new Set(teamIds)]), isNull(deletedAt));
  return new Set((await run(orm.select({ teamId }).from(teams).where(isLive))).map((team) => team.teamId));
}
