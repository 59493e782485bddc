import type { Tx } from '@pulsewire/database';
import { addDays, createZoneFinder } from '@pulsewire/providers';
import type { Connection } from '../model/connection.ts';
import { closedAt, ever, type ResourceDays } from './days.ts';
import { readResourceHandover, saveResourceDays } from './resource-handover.ts';

/** What was read from the successor, and what its local days are computed from. */
interface SuccessorsEnd {
  /** The last local day; null: nothing was read. */
  readonly lastDay: string | null;
  readonly account: Readonly<Record<string, unknown>>;
  readonly fallbackTimeZone: string | null;
}

/** The division when nothing more is read from the successor. */
export function withoutSuccessor(days: ResourceDays, { lastDay, account, fallbackTimeZone }: SuccessorsEnd): ResourceDays {
  if (lastDay === null) return closedAt(days, ever);
  const day = addDays(lastDay, 1);
  return closedAt(days, { day, ms: createZoneFinder(account, fallbackTimeZone)(day).startOfDay(day).ms });
}

/**
 * When a connection was removed to which resources were handed over: the other one continues on the day after its last. Call it after the
 * plan of its pulls was deleted: whoever stores a page locks that plan first, and then the handover.
 */
export async function handBackResources(tx: Tx, gone: Connection, lastRead: Omit<SuccessorsEnd, 'account'>): Promise<void> {
  const handover = await readResourceHandover(tx, gone);
  if (!handover?.isSuccessor) return;
  await saveResourceDays(tx, gone, handover, withoutSuccessor(handover.days, { ...lastRead, account: gone.account }));
}
