import { randomUUID } from 'node:crypto';
import type { Clock } from '@pulsewire/kernel';
import { run, type Executor } from '@pulsewire/database';
import { teams } from '../model/tables.ts';
import { teamColumns, type Team } from './team.ts';

export interface NewTeam {
  /** Generated when absent. */
  readonly teamId?: string;
  readonly name: string;
  readonly isSandbox: boolean;
}

/** Creates a team with the default settings. */
export async function createTeam({ orm }: Executor, clock: Clock, team: NewTeam): Promise<Team> {
  const { teamId = randomUUID(), name, isSandbox } = team;
  const [created] = await run(orm.insert(teams).values({ teamId, name, isSandbox, createdAt: clock.now() }).returning(teamColumns));
  return created as Team;
}
