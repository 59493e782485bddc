import { eq } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { labPartnerJobs } from '../model/appointment-tables.ts';
import { labAccountTeams, labTests } from '../model/catalogue-tables.ts';
import { labOrders, labOrderTransactions, labRequests, labTeamKeys, labUnmatchedResults } from '../model/order-tables.ts';

/** Erases the lab data of a team after its users are erased. Accounts at labs stay, because they may be linked to other teams. */
export async function eraseLabsOfTeam({ orm }: Tx, teamId: string): Promise<void> {
  for (const table of [
    labPartnerJobs,
    labOrders,
    labOrderTransactions,
    labTests,
    labAccountTeams,
    labRequests,
    labUnmatchedResults,
    labTeamKeys,
  ] as const)
    await run(orm.delete(table).where(eq(table.teamId, teamId)));
}
