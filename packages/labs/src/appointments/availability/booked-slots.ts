import { and, eq, gte, inArray, lte, notInArray } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import type { LabTeam } from '../../context/context.ts';
import { labAppointments } from '../../model/appointment-tables.ts';
import { refused } from '../../model/errors.ts';

interface CenterSlot {
  readonly siteCode: string | null;
  readonly startAt: Date;
}

/** Whether a team has booked a slot itself. */
export type IsBooked = (slot: CenterSlot) => boolean;

const keyOf = (siteCode: string | null, startAt: Date) => `${siteCode} ${startAt.getTime()}`;

/**
 * The slots of service centers that a sandbox team has booked: simulated partners store nothing, so that their slots would never sell out.
 * Slots of real partners are never among them, because their partner knows what is booked.
 */
export async function readBookedSlots({ orm }: Executor, team: LabTeam, provider: string, slots: readonly CenterSlot[]): Promise<IsBooked> {
  const times = slots.map(({ startAt }) => startAt.getTime());
  if (!team.isSandbox || times.length === 0) return () => false;
  const { teamId, siteCode, startAt, status, provider: of } = labAppointments;
  const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
  const rows = await run(
    orm
      .select({ siteCode, startAt })
      .from(labAppointments)
      .where(
        and(
          eq(teamId, team.teamId),
          eq(of, provider),
          gte(startAt, first),
          lte(startAt, last),
          notInArray(status, ['cancelled', 'completed']),
          inArray(siteCode, [...new Set(slots.flatMap((slot) => slot.siteCode ?? []))]),
        ),
      ),
  );
  const booked = new Set(rows.map((row) => keyOf(row.siteCode, row.startAt as Date)));
  return (slot) => booked.has(keyOf(slot.siteCode, slot.startAt));
}

/** Throws AppError `slot_booked` when a sandbox team has booked the slot of a service center already. */
export async function assertFree(
  executor: Executor,
  team: LabTeam,
  provider: string,
  { siteCode, startAt }: { readonly siteCode: string | null; readonly startAt: string },
): Promise<void> {
  if (siteCode === null) return;
  const slot = { siteCode, startAt: new Date(startAt) };
  const isBooked = await readBookedSlots(executor, team, provider, [slot]);
  if (isBooked(slot)) throw refused('slot_booked', 'The slot is no longer available. Read the available slots again');
}
