import { createHash } from 'node:crypto';
import type { Slot } from '../partner.ts';
import { daysBetween, localInstant } from './local-time.ts';

/** Minutes after midnight, local. */
export interface Opening {
  readonly from: number;
  readonly to: number;
  readonly slotMinutes: number;
}

export interface SlotPlan {
  /** The opening on a day; null: closed. */
  openingOn(day: string, today: string): Opening | null;
  /** How long before its start a slot can be booked. */
  readonly noticeMinutes: number;
  readonly priceMinor: number;
}

/** How long a returned slot stays bookable. */
const slotLifeMs = 30 * 60_000;

/** A number from 0 to 9, constant for each slot. */
function digitOf(text: string): number {
  return (createHash('sha256').update(text).digest()[0] as number) % 10;
}

export function encodeSlot(startAt: Date, endAt: Date): string {
  return `${startAt.getTime()}-${endAt.getTime()}`;
}

/** Null for a slot that was not created by a simulated partner. */
export function decodeSlot(slotId: string): { readonly startMs: number; readonly endMs: number } | null {
  const parts = /^(\d{1,15})-(\d{1,15})$/.exec(slotId);
  return parts && { startMs: Number(parts[1]), endMs: Number(parts[2]) };
}

interface Asked {
  readonly place: string;
  readonly siteCode: string | null;
  readonly from: string;
  readonly to: string;
  readonly today: string;
  readonly timeZone: string;
  readonly now: Date;
}

/** Deterministic slots of a place and day, without those that are taken or start too soon. */
export function planSlots(plan: SlotPlan, asked: Asked): readonly Slot[] {
  const { place, siteCode, from, to, today, timeZone, now } = asked;
  const earliest = now.getTime() + plan.noticeMinutes * 60_000;
  const expiresAt = new Date(now.getTime() + slotLifeMs);
  return daysBetween(from, to).flatMap((day) => {
    const opening = plan.openingOn(day, today);
    if (opening === null) return [];
    const starts = Math.floor((opening.to - opening.from) / opening.slotMinutes);
    return Array.from({ length: starts }, (_, index) => opening.from + index * opening.slotMinutes).flatMap((minutes) => {
      const startAt = localInstant(day, minutes, timeZone);
      const endAt = new Date(startAt.getTime() + opening.slotMinutes * 60_000);
      const digit = digitOf(`${place} ${startAt.toISOString()}`);
      if (digit === 0 || startAt.getTime() < earliest) return [];
      const shared = { startAt, endAt, expiresAt, priceMinor: plan.priceMinor, siteCode };
      return { ...shared, slotId: encodeSlot(startAt, endAt), isPriority: digit === 9, available: 1 + (digit % 5) };
    });
  });
}
