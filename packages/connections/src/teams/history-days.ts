import { eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { teams } from '../model/tables.ts';

/** Days of history to request from every provider for a team; null for each provider's default, or when there is no such team. */
export async function historyDaysOf({ orm }: Executor, teamId: string): Promise<number | null> {
  const [row] = await run(orm.select({ historyDays: teams.historyDays }).from(teams).where(eq(teams.teamId, teamId)));
  return row?.historyDays ?? null;
}
