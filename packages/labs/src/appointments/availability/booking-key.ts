import { createHash, randomUUID } from 'node:crypto';
import { run, type Cipher, type Tx } from '@pulsewire/database';
import { labUsedBookingKeys } from '../../model/appointment-tables.ts';
import { refused } from '../../model/errors.ts';
import type { AppointmentAddress, AppointmentType, ChosenSlot } from '../model/appointment.ts';

/** What a team may book with a key. The sealed key contains all of it, so issuing keys writes nothing to the database. */
export interface BookingChoice {
  readonly type: AppointmentType;
  /** Slug of the partner. */
  readonly provider: string;
  readonly slot: ChosenSlot;
  readonly address: AppointmentAddress;
  readonly location: { readonly lng: number; readonly lat: number };
  readonly timeZone: string;
  readonly expiresAt: string;
}

const contextOf = (teamId: string) => `booking_key:${teamId}`;

/** Returns a unique key, even for a slot that already has one. */
export function makeBookingKey(cipher: Cipher, teamId: string, choice: BookingChoice): string {
  return cipher.seal(JSON.stringify({ ...choice, nonce: randomUUID() }), contextOf(teamId)).toString('base64url');
}

/** Throws AppErrors `booking_key_invalid` and `booking_key_expired` (400). */
export function readBookingKey(cipher: Cipher, teamId: string, key: string, type: AppointmentType, now: Date): BookingChoice {
  let choice: BookingChoice;
  try {
    choice = JSON.parse(cipher.open(Buffer.from(key, 'base64url'), contextOf(teamId))) as BookingChoice;
  } catch {
    throw refused('booking_key_invalid', 'This is not a booking key of the team');
  }
  if (choice.type !== type) throw refused('booking_key_invalid', 'The booking key is for another kind of appointment');
  if (Date.parse(choice.expiresAt) <= now.getTime()) throw refused('booking_key_expired', 'The booking key has expired');
  return choice;
}

/** Marks a key as used, in the transaction of its booking. Throws AppError `booking_key_used` (400). */
export async function useBookingKey({ orm, sql }: Tx, key: string, choice: BookingChoice, now: Date): Promise<void> {
  const keyHash = createHash('sha256').update(Buffer.from(key, 'base64url')).digest('hex');
  const used = labUsedBookingKeys;
  const values = { keyHash, expiresAt: new Date(choice.expiresAt) };
  const inserted = await run(orm.insert(used).values(values).onConflictDoNothing().returning({ keyHash: used.keyHash }));
  if (inserted.length === 0) throw refused('booking_key_used', 'The booking key has already been used');
  // An expired key is refused even without its row, so the row can be deleted.
  await sql`
    DELETE FROM lab_used_booking_keys WHERE key_hash IN (
      SELECT key_hash FROM lab_used_booking_keys WHERE expires_at < ${now.toISOString()} ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)`;
}
