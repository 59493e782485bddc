import { createHash } from 'node:crypto';
import type { PartnerAppointment } from '../partner.ts';

/** A booking at a simulated partner. It is not stored, because its id contains everything. */
export interface SimulatedBooking {
  readonly startMs: number | null;
  readonly endMs: number | null;
  /** When it is confirmed; null: never. */
  readonly confirmedMs: number | null;
  /** Hash of the idempotency key, so that equal calls return equal ids and different calls different ones. */
  readonly tag: string;
}

const prefix = 'sim-';

export function tagOf(idempotencyKey: string): string {
  return createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 8);
}

export function encodeBooking({ startMs, endMs, confirmedMs, tag }: SimulatedBooking): string {
  return prefix + [startMs, endMs, confirmedMs].map((ms) => (ms === null ? '' : ms.toString(36))).join('-') + `-${tag}`;
}

/** Null for an id that was not created by a simulated partner. */
export function decodeBooking(providerId: string): SimulatedBooking | null {
  const parts = /^sim-([0-9a-z]*)-([0-9a-z]*)-([0-9a-z]*)-([0-9a-f]{8})$/.exec(providerId);
  if (!parts) return null;
  const [startMs, endMs, confirmedMs] = parts.slice(1, 4).map((text) => (text === '' ? null : Number.parseInt(text, 36)));
  return { startMs: startMs ?? null, endMs: endMs ?? null, confirmedMs: confirmedMs ?? null, tag: parts[4] ?? '' };
}

function stateAt({ startMs, endMs, confirmedMs }: SimulatedBooking, nowMs: number): PartnerAppointment['state'] {
  if (confirmedMs === null || nowMs < confirmedMs || startMs === null || endMs === null) return 'pending';
  if (nowMs < startMs) return 'scheduled';
  return nowMs < endMs ? 'in_progress' : 'completed';
}

/** The state of a booking; the visit begins and ends on time. */
export function appointmentAt(booking: SimulatedBooking, now: Date, externalId: string | null): PartnerAppointment {
  const { startMs, endMs } = booking;
  const state = stateAt(booking, now.getTime());
  // An unconfirmed visit has no time yet.
  const isTimed = state !== 'pending';
  return {
    providerId: encodeBooking(booking),
    externalId: state === 'pending' ? null : externalId,
    state,
    startAt: startMs === null || !isTimed ? null : new Date(startMs),
    endAt: endMs === null || !isTimed ? null : new Date(endMs),
    canReschedule: state === 'scheduled',
  };
}
