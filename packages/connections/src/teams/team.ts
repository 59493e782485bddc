import { randomUUID } from 'node:crypto';
import { run, type Executor } from '@pulsewire/database';
import type { Clock } from '@pulsewire/kernel';
import { eq, getTableColumns } from 'drizzle-orm';
import { teams } from '../model/tables.ts';

/** A customer: calls the API and receives its events. Everything else belongs to exactly one team. */
export interface Team {
  readonly teamId: string;
  readonly name: string;
  readonly isSandbox: boolean;
  /** Whether webhooks receive the records of historical pulls. */
  readonly pushHistoricalData: boolean;
  /** Whether raw provider JSON may be read. */
  readonly providerRawData: boolean;
  /** Whether an account at a provider may be linked to one user only. */
  readonly rejectDuplicateConnection: boolean;
  /** Day whose deprecations apply, `YYYY-MM-DD`; null: today's. */
  readonly contractDate: string | null;
  readonly createdAt: Date;
  /** Whether the bulk endpoints are enabled. */
  readonly bulkOperations: boolean;
  /** Days of history to request from every provider that allows it, at most 365; null: each provider's default. */
  readonly historyDays: number | null;
  /** Schemes of the team's own apps, without the colon, that `redirect_url` may start with. */
  readonly redirectSchemes: readonly string[];
  /** The sources that merged reads prefer, by resource, the best first; `default`: of all other resources. */
  readonly sourceOrder: Readonly<Record<string, readonly string[]>>;
  /** Whether the user confirms every OAuth link on our page, including those that the team's server started with its key. */
  readonly confirmLinks: boolean;
  /** Whether lab results are announced and shown before an order is complete. */
  readonly partialResults: boolean;
  /** Whether lab tests may be ordered for minors with a medical proxy. */
  readonly minorOrdering: boolean;
  /** Whether a person may review the values parsed from a lab report. */
  readonly humanReview: boolean;
  /** Whether appointments may be booked before their order has its requisition. */
  readonly bookingBeforeRequisition: boolean;
  /** Whether references of users that look like an e-mail address or a telephone number are refused. */
  readonly refusePersonalReferences: boolean;
}

const { deletedAt: _deletedAt, undoStartedAt: _undoStartedAt, ...shownColumns } = getTableColumns(teams);

/** Every column except the state of a deletion. */
export const teamColumns = shownColumns;

/** The team with this id, or null. Requests find their team by its key only. */
export async function findTeam({ orm }: Executor, teamId: string): Promise<Team | null> {
  const [team] = await run(orm.select(teamColumns).from(teams).where(eq(teams.teamId, teamId)));
  return team ?? null;
}

/** All teams, oldest first, at most 1,000. For operators. */
export async function listTeams({ orm }: Executor): Promise<readonly Team[]> {
  return run(orm.select(teamColumns).from(teams).orderBy(teams.createdAt, teams.teamId).limit(1000));
}

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
