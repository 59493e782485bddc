import type { Executor } from '@pulsewire/database';

/** Days of history that a team wants of every provider; null: what is usual at each, or no such team. */
export async function historyDaysOf({ sql }: Executor, teamId: string): Promise<number | null> {
  const [row] = await sql<{ history_days: number | null }[]>`SELECT history_days FROM teams WHERE team_id = ${teamId}`;
  return row?.history_days ?? null;
}
