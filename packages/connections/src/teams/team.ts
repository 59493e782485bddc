import { eq, getTableColumns } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { teams } from '../model/tables.ts';

/** Whoever calls the API and receives its events. Everything else belongs to exactly one team. */
export interface Team {
  readonly teamId: string;
  readonly name: string;
  readonly isSandbox: boolean;
  /** Whether webhooks get the records of historical pulls. */
  readonly pushHistoricalData: boolean;
  /** Whether raw provider JSON may be read. */
  readonly providerRawData: boolean;
  /** Whether an account at a provider may be linked to one user only. */
  readonly rejectDuplicateConnection: boolean;
  /** Day whose deprecations hold, `YYYY-MM-DD`; null follows the calendar. */
  readonly contractDate: string | null;
  readonly createdAt: Date;
  /** Whether the bulk endpoints answer. */
  readonly bulkOperations: boolean;
  /** Days of history wanted of every provider that lets them be read, 365 at most; null: what is usual at each. */
  readonly historyDays: number | null;
  /** Schemes of the team's own apps, without the colon, that `redirect_url` may begin with. */
  readonly redirectSchemes: readonly string[];
  /** Whether the person confirms every OAuth link on our page, also one that the team's server has started with its key. */
  readonly confirmLinks: boolean;
}

const { deletedAt: _deletedAt, undoStartedAt: _undoStartedAt, ...shownColumns } = getTableColumns(teams);

/** Every column but the state of a deletion. */
export const teamColumns = shownColumns;

/** The team with this id, or null. For operators: requests come to their team by its key alone. */
export async function findTeam({ orm }: Executor, teamId: string): Promise<Team | null> {
  const [team] = await run(orm.select(teamColumns).from(teams).where(eq(teams.teamId, teamId)));
  return team ?? null;
}

/** All teams, oldest first, at most 1,000. For operators. */
export async function listTeams({ orm }: Executor): Promise<readonly Team[]> {
  return run(orm.select(teamColumns).from(teams).orderBy(teams.createdAt, teams.teamId).limit(1000));
}
