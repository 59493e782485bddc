import { AppError, addDays } from '@pulsewire/kernel';
import { findPhlebotomists } from '../../areas/area-info.ts';
import { findZipArea, type ZipArea } from '../../areas/zip-area.ts';
import type { LabsContext, LabTeam } from '../../context/context.ts';
import { notFound, refused } from '../../model/errors.ts';
import { daysBetween, localDayOf } from '../../partners/kit/local-time.ts';
import type { Slot } from '../../partners/partner.ts';
import type { AppointmentAddress, ChosenSlot } from '../model/appointment.ts';
import { partnerAddress } from '../model/partner-address.ts';
import { makeBookingKey } from './booking-key.ts';

/** Days in every response. */
const days = 14;
/** How long a key is valid for slots of a partner that sets no expiry. */
const keyLifeMs = 30 * 60_000;
const partnersDeadlineMs = 15_000;

export interface OfferedSlot extends Slot {
  readonly bookingKey: string;
}

export interface DaySlots {
  readonly date: string;
  readonly slots: readonly OfferedSlot[];
}

/** The first day, and the days from it. Throws AppError `start_date_in_past`. */
export function windowFrom(startDate: string | null, today: string, firstDay: string): readonly string[] {
  if (startDate !== null && startDate < today) throw refused('start_date_in_past', 'start_date is in the past');
  const from = startDate ?? firstDay;
  return daysBetween(from, addDays(from, days - 1));
}

export function chosenSlot({ slotId, siteCode, startAt, endAt }: Slot): ChosenSlot {
  return { slotId, siteCode, startAt: startAt.toISOString(), endAt: endAt.toISOString() };
}

/** When keys for the slot expire. */
export function keyEnd({ expiresAt, startAt }: Slot, now: Date): Date {
  return new Date(Math.min((expiresAt ?? startAt).getTime(), startAt.getTime(), now.getTime() + keyLifeMs));
}

/** Slots by local day, one entry for every day. */
export function byDay<T extends Slot>(dates: readonly string[], slots: readonly T[], timeZone: string): { date: string; slots: T[] }[] {
  const grouped = Map.groupBy(
    slots.toSorted((a, b) => a.startAt.getTime() - b.startAt.getTime()),
    ({ startAt }) => localDayOf(startAt, timeZone),
  );
  return dates.map((date) => ({ date, slots: grouped.get(date) ?? [] }));
}

const notServed = () => notFound('address_not_served', 'No phlebotomist with bookable slots serves this ZIP code');

/**
 * The slots of phlebotomists at an address, always for 14 days in its time zone, each with a fresh key. Throws AppErrors
 * `start_date_in_past`, and `address_not_served` when no partner serves the address. If one partner fails, the slots of the others are
 * returned.
 */
export async function findHomeSlots(
  { database, cipher, clock, partners }: LabsContext,
  team: LabTeam,
  address: AppointmentAddress,
  startDate: string | null,
): Promise<{ readonly timeZone: string; readonly days: readonly DaySlots[] }> {
  const now = clock.now();
  const [area, serving] = await Promise.all([findZipArea(database, address.zip_code), findPhlebotomists(database, address.zip_code)]);
  const ready = serving.filter(({ tiers }) => tiers.includes('appointment-ready'));
  const found = ready.flatMap(({ provider }) => partners.find('phlebotomy', provider, team) ?? []);
  if (area === null || found.length === 0) throw notServed();
  const today = localDayOf(now, area.ianaTimezone);
  const dates = windowFrom(startDate, today, addDays(today, 1));
  const asked = {
    address: partnerAddress(address),
    siteCodes: [],
    timeZone: area.ianaTimezone,
    signal: AbortSignal.timeout(partnersDeadlineMs),
    from: dates[0] as string,
    to: dates.at(-1) as string,
  };
  const results = await Promise.allSettled(found.map((partner) => partner.findSlots(asked)));
  if (results.every(({ status }) => status === 'rejected'))
    throw new AppError({ code: 'partner_unavailable', kind: 'unavailable', message: "No partner's slots could be read" });
  const offered = results.flatMap((result, index) => {
    const provider = found[index]?.slug ?? '';
    if (result.status === 'rejected') return [];
    return result.value.map((slot) => ({ ...slot, expiresAt: keyEnd(slot, now), bookingKey: keyFor(slot, provider, area) }));
  });
  return { timeZone: area.ianaTimezone, days: byDay(dates, offered, area.ianaTimezone) };

  function keyFor(slot: Slot, provider: string, { lng, lat, ianaTimezone }: ZipArea): string {
    const place = { address, location: { lng, lat }, timeZone: ianaTimezone };
    const choice = { type: 'phlebotomy', provider, slot: chosenSlot(slot), ...place, expiresAt: keyEnd(slot, now).toISOString() } as const;
    return makeBookingKey(cipher, team.teamId, choice);
  }
}
