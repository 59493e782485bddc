import type { Executor } from '@pulsewire/database';

// The one place that answers whether a team, or a user of it, may still act. Whatever is authenticated by something other than an API key asks
// here: phones, link tokens and pages, and providers that call a team's own application. Keys are checked in `authenticateKey`.

/** Whether neither the user nor its team is deleted. */
export async function mayAct({ sql }: Executor, { teamId, userId }: { readonly teamId: string; readonly userId: string }): Promise<boolean> {
  const rows = await sql`
    SELECT FROM users u JOIN teams t USING (team_id)
    WHERE u.user_id = ${userId} AND u.team_id = ${teamId} AND u.deleted_at IS NULL AND t.deleted_at IS NULL`;
  return rows.length > 0;
}

/** Those of the teams that are not deleted. */
export async function actingTeams({ sql }: Executor, teamIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (teamIds.length === 0) return new Set();
  const ids = `{${[...new Set(teamIds)].join(',')}}`;
  const rows = await sql<{ team_id: string }[]>`SELECT team_id FROM teams WHERE team_id = ANY(${ids}::uuid[]) AND deleted_at IS NULL`;
  return new Set(rows.map(({ team_id: teamId }) => teamId));
}
