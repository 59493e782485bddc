import { and, eq, ne } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { labPartnerJobs } from '../model/appointment-tables.ts';
import { labAccountTeams, labTests } from '../model/catalogue-tables.ts';
import { labOrders, labOrderTransactions, labRequests, labTeamKeys, labUnmatchedResults } from '../model/order-tables.ts';

/**
 * Erases the lab data of a team after its users are erased. Accounts at labs stay, because they may be linked to other teams, and so do calls that
 * cancel bookings of its former users.
 */
export async function eraseLabsOfTeam({ orm }: Tx, teamId: string): Promise<void> {
  await run(orm.delete(labPartnerJobs).where(and(eq(labPartnerJobs.teamId, teamId), ne(labPartnerJobs.kind, 'release_booking'))));
  for (const table of [labOrders, labOrderTransactions, labTests, labAccountTeams, labRequests, labUnmatchedResults, labTeamKeys] as const)
    await run(orm.delete(table).where(eq(table.teamId, teamId)));
}
