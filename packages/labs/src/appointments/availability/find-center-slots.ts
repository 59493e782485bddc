import { addDays } from '@pulsewire/kernel';
import type { LabsContext, LabTeam } from '../../context/context.ts';
import { notFound } from '../../model/errors.ts';
import { localDayOf } from '../../partners/kit/local-time.ts';
import type { SchedulingPartner, Slot } from '../../partners/partner.ts';
import type { AppointmentAddress } from '../model/appointment.ts';
import { bookableCenters, type BookableCenter, type CenterChoice } from './bookable-centers.ts';
import { readBookedSlots } from './booked-slots.ts';
import { makeBookingKey } from './booking-key.ts';
import { cachedDays, readCache, writeCache, type CachedSlots } from './center-cache.ts';
import { byDay, chosenSlot, keyEnd, windowFrom, type DaySlots } from './find-slots.ts';

const partnerDeadlineMs = 15_000;

export interface CenterDay extends DaySlots {
  readonly center: BookableCenter;
}

export interface CenterSlots {
  readonly days: readonly CenterDay[];
  /** Refreshes ageing entries after the response is sent. Null: nothing to refresh. */
  readonly refresh: (() => Promise<void>) | null;
}

interface Asked {
  readonly partner: SchedulingPartner;
  readonly center: BookableCenter;
  readonly dates: readonly string[];
  readonly today: string;
}

export function addressOfCenter({ firstLine, secondLine, city, state, zipCode }: BookableCenter): AppointmentAddress {
  return { first_line: firstLine, second_line: secondLine, city, state, zip_code: zipCode };
}

/** Requests slots from the partner and stores those within the cached days. */
async function fetchSlots({ database, clock }: LabsContext, { partner, center, dates, today }: Asked): Promise<readonly Slot[]> {
  const [first, last] = [dates[0] as string, dates.at(-1) as string];
  const lastCached = addDays(today, cachedDays - 1);
  const isCached = last <= lastCached;
  const { siteCode, ianaTimezone: timeZone } = center;
  const [from, to] = isCached ? [today, lastCached] : [first, last];
  const fetchedAt = clock.now();
  const signal = AbortSignal.timeout(partnerDeadlineMs);
  const slots = await partner.findSlots({ address: null, siteCodes: [siteCode], from, to, timeZone, signal });
  if (isCached) await writeCache(database, partner, { siteCode, from, to, slots }, fetchedAt);
  return slots;
}

const covers = ({ from, to }: CachedSlots, dates: readonly string[]) => from <= (dates[0] as string) && to >= (dates.at(-1) as string);

/**
 * The slots of up to three service centers for 14 local days, each with a fresh key. With `allowStale`, and when every center was fetched
 * within the last quarter of an hour, no request is made to the partner. Throws AppErrors `partner_not_available` (503), of kind `invalid`,
 * and `slots_not_found`.
 */
export async function findCenterSlots(
  labs: LabsContext,
  team: LabTeam,
  choice: CenterChoice & { readonly startDate: string | null; readonly allowStale: boolean },
): Promise<CenterSlots> {
  const { database, cipher, clock, partners } = labs;
  const partner = partners.get('service_center', choice.lab, team);
  const now = clock.now();
  const asked = (await bookableCenters(labs, choice)).map((center): Asked => {
    const today = localDayOf(now, center.ianaTimezone);
    return { partner, center, today, dates: windowFrom(choice.startDate, today, today) };
  });
  const codes = asked.map(({ center }) => center.siteCode);
  const cached: ReadonlyMap<string, CachedSlots> = choice.allowStale ? await readCache(database, partner, codes, now) : new Map();
  const isServed = asked.every(({ center, dates }) => {
    const entry = cached.get(center.siteCode);
    return entry !== undefined && covers(entry, dates);
  });
  const slotsOf = (one: Asked) => (isServed ? (cached.get(one.center.siteCode)?.slots ?? []) : fetchSlots(labs, one));
  const found = await Promise.all(asked.map(async (one) => ({ ...one, slots: await slotsOf(one) })));
  const isBooked = await readBookedSlots(
    database,
    team,
    partner.slug,
    found.flatMap(({ slots }) => slots),
  );
  const days = found.flatMap(({ center, dates, slots }) => {
    const open = slots.filter((slot) => keyEnd(slot, now) > now && !isBooked(slot));
    const offered = open.map((slot) => ({ ...slot, expiresAt: keyEnd(slot, now), bookingKey: keyFor(slot, center) }));
    return byDay(dates, offered, center.ianaTimezone).map((day) => ({ ...day, center }));
  });
  if (days.every(({ slots }) => slots.length === 0)) throw notFound('slots_not_found', 'No slots found for these centers and days');
  const old = isServed ? asked.filter(({ center }) => cached.get(center.siteCode)?.isFresh === false) : [];
  const refresh = async () => void (await Promise.all(old.map((one) => fetchSlots(labs, one))));
  return { days, refresh: old.length === 0 ? null : refresh };

  function keyFor(slot: Slot, center: BookableCenter): string {
    const { lng, lat, ianaTimezone: timeZone } = center;
    return makeBookingKey(cipher, team.teamId, {
      type: 'patient_service_center',
      provider: partner.slug,
      slot: chosenSlot(slot),
      address: addressOfCenter(center),
      location: { lng, lat },
      timeZone,
      expiresAt: keyEnd(slot, now).toISOString(),
    });
  }
}
