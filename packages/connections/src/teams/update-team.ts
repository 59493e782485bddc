import { eq } from 'drizzle-orm';
import { AppError } from '@pulsewire/kernel';
import { run, type Executor } from '@pulsewire/database';
import { isSchemeRegistrable } from '../model/redirect-url.ts';
import { teams } from '../model/tables.ts';
import { teamColumns, type Team } from './team.ts';

/** What an operator may change; absent keys stay as they are. */
export interface TeamChanges {
  readonly name?: string;
  readonly pushHistoricalData?: boolean;
  readonly providerRawData?: boolean;
  readonly rejectDuplicateConnection?: boolean;
  readonly contractDate?: string | null;
  readonly bulkOperations?: boolean;
  readonly confirmLinks?: boolean;
  readonly historyDays?: number | null;
  /** Each must be one that `isSchemeRegistrable` takes. */
  readonly redirectSchemes?: readonly string[];
}

/** Changes a team's switches. Throws AppErrors `team_not_found` and `scheme_refused`. */
export async function updateTeam({ orm }: Executor, teamId: string, changes: TeamChanges): Promise<Team> {
  const { redirectSchemes, ...switches } = changes;
  const refused = redirectSchemes?.filter((scheme) => !isSchemeRegistrable(scheme)) ?? [];
  if (refused.length > 0)
    throw new AppError({
      code: 'scheme_refused',
      kind: 'invalid',
      message: `Not a scheme that an app may register: ${refused.join(', ')}`,
    });
  const [team] = await run(
    orm
      .update(teams)
      // The id, so that there is something to set when nothing changes.
      .set({ teamId, ...switches, ...(redirectSchemes && { redirectSchemes: [...redirectSchemes] }) })
      .where(eq(teams.teamId, teamId))
      .returning(teamColumns),
  );
  if (!team) throw new AppError({ code: 'team_not_found', kind: 'not_found', message: 'No such team' });
  return team;
}
