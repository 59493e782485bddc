import type { Executor } from '@pulsewire/database';

/** The last local day (`YYYY-MM-DD`) up to which any pull of the connection was read; null: nothing was read. */
export async function lastDayRead({ sql }: Executor, connectionId: string): Promise<string | null> {
  const [row] = await sql<{ day: string | null }[]>`
    SELECT max(covered_to)::text AS day FROM pull_cursors WHERE connection_id = ${connectionId}`;
  return row?.day ?? null;
}
