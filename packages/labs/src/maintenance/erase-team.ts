import { and, eq, inArray, notInArray } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { labPartnerJobs } from '../model/job-tables.ts';
import { labAccountTeams, labTests } from '../model/catalogue-tables.ts';
import { labOrders, labOrderTransactions, labRequests, labTeamKeys, labUnmatchedResults } from '../model/order-tables.ts';
import { labReportTurns } from '../model/report-tables.ts';

/** Calls that end something at a partner. */
const ending = ['release_booking', 'release_twins', 'withdraw_order', 'withdraw_kit'];

/**
 * Erases the lab data of a team after its users are erased. Accounts at labs stay, because they may be linked to other teams, and so do
 * calls that end bookings and orders at partners.
 */
export async function eraseLabsOfTeam({ orm }: Tx, teamId: string): Promise<void> {
  const { kind } = labPartnerJobs;
  const ofTeam = eq(labPartnerJobs.teamId, teamId);
  await run(orm.delete(labPartnerJobs).where(and(ofTeam, notInArray(kind, ending))));
  // The reference would delete them with their orders.
  await run(
    orm
      .update(labPartnerJobs)
      .set({ orderId: null })
      .where(and(ofTeam, inArray(kind, ending))),
  );
  for (const table of [
    labOrders,
    labOrderTransactions,
    labTests,
    labAccountTeams,
    labRequests,
    labUnmatchedResults,
    labTeamKeys,
    labReportTurns,
  ] as const)
    await run(orm.delete(table).where(eq(table.teamId, teamId)));
}
