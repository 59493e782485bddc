import { eq } from 'drizzle-orm';
import { AppError } from '@pulsewire/kernel';
import { run, type Executor } from '@pulsewire/database';
import { teams } from '../tables.ts';
import type { Team } from './team.ts';

/** What an operator may change; absent keys stay as they are. */
export interface TeamChanges {
  readonly name?: string;
  readonly pushHistoricalData?: boolean;
  readonly providerRawData?: boolean;
  readonly rejectDuplicateConnection?: boolean;
  readonly contractDate?: string | null;
  readonly bulkOperations?: boolean;
  readonly historyDays?: number | null;
}

/** Changes a team's switches. Throws AppError `team_not_found`. */
export async function updateTeam({ orm }: Executor, teamId: string, changes: TeamChanges): Promise<Team> {
  const { name, pushHistoricalData, providerRawData, rejectDuplicateConnection, contractDate, bulkOperations, historyDays } = changes;
  const [team] = await run(
    orm
      .update(teams)
      // The id, so that there is something to set when nothing changes.
      .set({ teamId, name, pushHistoricalData, providerRawData, rejectDuplicateConnection, contractDate, bulkOperations, historyDays })
      .where(eq(teams.teamId, teamId))
      .returning(),
  );
  if (!team) throw new AppError({ code: 'team_not_found', kind: 'not_found', message: 'No such team' });
  return team;
}
