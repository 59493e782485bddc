import { eq, max } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { pullCursors } from './tables.ts';

/** The last local day (`YYYY-MM-DD`) up to which any pull of the connection was read; null: nothing was read. */
export async function lastDayRead({ orm }: Executor, connectionId: string): Promise<string | null> {
  const { coveredTo } = pullCursors;
  const rows = await run(
    orm
      .select({ day: max(coveredTo) })
      .from(pullCursors)
      .where(eq(pullCursors.connectionId, connectionId)),
  );
  return rows[0]?.day ?? null;
}
