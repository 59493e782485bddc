import { run, type Executor } from '@pulsewire/database';
import { AppError } from '@pulsewire/kernel';
import { eq, sql } from 'drizzle-orm';
import { isSchemeRegistrable } from '../model/redirect-url.ts';
import { teams } from '../model/tables.ts';
import { teamColumns, type Team } from './team.ts';

/** Settings that an operator may change; absent keys stay unchanged. */
export interface TeamChanges {
  readonly name?: string;
  readonly pushHistoricalData?: boolean;
  readonly providerRawData?: boolean;
  readonly rejectDuplicateConnection?: boolean;
  readonly contractDate?: string | null;
  readonly bulkOperations?: boolean;
  readonly confirmLinks?: boolean;
  readonly partialResults?: boolean;
  readonly minorOrdering?: boolean;
  readonly humanReview?: boolean;
  readonly bookingBeforeRequisition?: boolean;
  readonly refusePersonalReferences?: boolean;
  readonly historyDays?: number | null;
  /** `isSchemeRegistrable` must accept each of them. */
  readonly redirectSchemes?: readonly string[];
  /** By resource or `default`; others stay unchanged, null removes one. */
  readonly sourceOrder?: Readonly<Record<string, readonly string[] | null>>;
}

/** Changes a team's settings. Throws AppErrors `team_not_found` and `scheme_refused`. */
export async function updateTeam({ orm }: Executor, teamId: string, changes: TeamChanges): Promise<Team> {
  const { redirectSchemes, sourceOrder, ...settings } = changes;
  const refused = redirectSchemes?.filter((scheme) => !isSchemeRegistrable(scheme)) ?? [];
  if (refused.length > 0)
    throw new AppError({
      code: 'scheme_refused',
      kind: 'invalid',
      message: `Apps may not register these schemes: ${refused.join(', ')}`,
    });
  const [team] = await run(
    orm
      .update(teams)
      // An UPDATE must set something, also when nothing changes.
      .set({
        teamId,
        ...settings,
        ...(redirectSchemes && { redirectSchemes: [...redirectSchemes] }),
        ...(sourceOrder && { sourceOrder: sql`jsonb_strip_nulls(${teams.sourceOrder} || ${JSON.stringify(sourceOrder)}::text::jsonb)` }),
      })
      .where(eq(teams.teamId, teamId))
      .returning(teamColumns),
  );
  if (!team) throw new AppError({ code: 'team_not_found', kind: 'not_found', message: 'Team not found' });
  return team;
}
