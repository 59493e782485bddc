import { addDays } from '@pulsewire/kernel';
import { and, eq, isNull, lt, ne, or } from 'drizzle-orm';
import { run, type Database, type Tx } from '@pulsewire/database';
import {
  phoneBatches,
  phoneDayZones,
  phoneItems,
  phonePressures,
  phoneReadings,
  phoneSampleIds,
  phoneSessions,
  phoneNightSegments,
  phoneWorkoutParts,
  phoneWorkouts,
  phoneWriters,
  sentSummaries,
} from '../model/tables.ts';

/** Erases all phone data of a user, in the transaction that erases the user. */
export async function eraseIntake({ orm }: Tx, userId: string): Promise<void> {
  const ofUsers = [
    phoneSessions,
    phoneBatches,
    phoneNightSegments,
    phoneItems,
    phonePressures,
    phoneReadings,
    phoneDayZones,
    phoneSampleIds,
    phoneWriters,
    phoneWorkoutParts,
    phoneWorkouts,
    sentSummaries,
  ];
  for (const table of ofUsers) await run(orm.delete(table).where(eq(table.userId, userId)));
}

/**
 * Removes batches processed before the retention period, halves of blood pressures that waited as long, and sign-ins that have ended or
 * were not renewed for a year.
 */
export async function maintainIntake({ orm }: Database, options: { readonly today: string; readonly keepDays: number }): Promise<void> {
  const { today, keepDays } = options;
  const isOld = and(ne(phoneBatches.state, 'received'), lt(phoneBatches.receivedAt, addDays(today, -keepDays)));
  await run(orm.delete(phoneBatches).where(isOld));
  await run(orm.delete(phonePressures).where(lt(phonePressures.receivedAt, addDays(today, -keepDays))));
  const { refreshHash, refreshedAt } = phoneSessions;
  const isOver = or(lt(refreshedAt, addDays(today, -365)), and(isNull(refreshHash), lt(refreshedAt, addDays(today, -2))));
  await run(orm.delete(phoneSessions).where(isOver));
}
