import { sleep } from '@pulsewire/kernel';
import type { PartnerMaker, PartnerSetup } from '../directory.ts';
import type { BookRequest, PartnerAppointment, SchedulingPartner, ServiceTier } from '../partner.ts';
import { reasonsOf } from './cancellation-reasons.ts';
import { localDayOf } from './local-time.ts';
import { partnerRefused, partnerSlotGone, partnerTimeout, pushRefused } from './partner-errors.ts';
import { appointmentAt, decodeBooking, tagOf, type SimulatedBooking } from './simulated-booking.ts';
import { decodeSlot, planSlots, type SlotPlan } from './simulated-slots.ts';

export interface SimulatedProfile {
  readonly kind: SchedulingPartner['kind'];
  readonly slug: string;
  readonly tiers: readonly ServiceTier[];
  readonly slots: SlotPlan;
  readonly reasons: readonly string[];
  /** How long after a request without a slot a time is assigned, and how long after that the visit is. */
  readonly assignedAfterMs: number;
  readonly visitAfterMs: number;
  readonly visitMs: number;
  /** Whether bookings have a confirmation number. */
  readonly numbersBookings: boolean;
}

const latencyMs = 20;
const lateMs = 4000;

async function respond(signal: AbortSignal): Promise<void> {
  await sleep(latencyMs, signal);
  if (signal.aborted) throw partnerTimeout(signal.reason);
}

/** The behaviour that the notes of a booking select. */
function wishOf(notes: string | null): 'refuse' | 'taken' | 'late' | 'silent' | 'prompt' {
  if (notes?.includes('simulate:refuse')) return 'refuse';
  if (notes?.includes('simulate:taken')) return 'taken';
  if (notes?.includes('simulate:late')) return 'late';
  return notes?.includes('simulate:silent') ? 'silent' : 'prompt';
}

function confirmedAt(notes: string | null, nowMs: number, delayMs: number): number | null {
  const wish = wishOf(notes);
  if (wish === 'refuse') throw partnerRefused('The simulated partner refuses the booking, as its notes request');
  if (wish === 'taken') throw partnerSlotGone();
  return wish === 'silent' ? null : nowMs + (wish === 'late' ? lateMs : 0) + delayMs;
}

function timesOf(profile: SimulatedProfile, { slotId }: BookRequest, nowMs: number): Pick<SimulatedBooking, 'startMs' | 'endMs'> {
  if (slotId === null) {
    if (!profile.tiers.includes('appointment-request')) throw partnerRefused('The partner needs a slot');
    const startMs = Math.ceil((nowMs + profile.visitAfterMs) / 3_600_000) * 3_600_000;
    return { startMs, endMs: startMs + profile.visitMs };
  }
  const slot = profile.tiers.includes('appointment-ready') ? decodeSlot(slotId) : null;
  if (slot === null) throw partnerRefused('The partner has no such slot');
  if (slot.startMs <= nowMs) throw partnerSlotGone();
  return slot;
}

/**
 * A partner of sandbox teams. It stores nothing: slots are derived from place and day, and the id of a booking contains its times, so any
 * process can continue what another began. Notes with `simulate:refuse`, `simulate:taken`, `simulate:late` or `simulate:silent` make a
 * booking fail, be confirmed some seconds later, or never.
 */
export function simulateScheduling(profile: SimulatedProfile): PartnerMaker {
  return ({ clock }: PartnerSetup): SchedulingPartner => {
    const { kind, slug, tiers, slots, numbersBookings } = profile;
    const stateOf = (booking: SimulatedBooking): PartnerAppointment =>
      appointmentAt(booking, clock.now(), numbersBookings ? `SIM-${booking.tag.toUpperCase()}` : null);
    const open = (providerId: string): SimulatedBooking => {
      const booking = decodeBooking(providerId);
      if (booking === null) throw partnerRefused('The partner has no such appointment');
      return booking;
    };
    const make = (request: BookRequest): PartnerAppointment => {
      const nowMs = clock.now().getTime();
      const times = timesOf(profile, request, nowMs);
      const delayMs = request.slotId === null ? profile.assignedAfterMs : 0;
      return stateOf({ ...times, confirmedMs: confirmedAt(request.notes, nowMs, delayMs), tag: tagOf(request.idempotencyKey) });
    };
    return {
      kind,
      slug,
      tiers,
      isSimulated: true,
      cancellationReasons: reasonsOf(slug, profile.reasons),
      confirmationMs: 8000,
      async findSlots({ address, siteCodes, from, to, timeZone, signal }) {
        await respond(signal);
        if (!tiers.includes('appointment-ready')) return [];
        const now = clock.now();
        const asked = { from, to, timeZone, now, today: localDayOf(now, timeZone) };
        if (kind === 'service_center') return siteCodes.flatMap((siteCode) => planSlots(slots, { ...asked, place: siteCode, siteCode }));
        return planSlots(slots, { ...asked, place: address?.zipCode.slice(0, 5) ?? '', siteCode: null });
      },
      async book(request) {
        await respond(request.signal);
        return make(request);
      },
      // Equal calls of `book` return the same booking, so there is nothing to look up.
      async findBookings({ signal }) {
        await respond(signal);
        return [];
      },
      async reschedule(request) {
        await respond(request.signal);
        if (stateOf(open(request.providerId)).state !== 'scheduled') throw partnerRefused('The appointment cannot be rescheduled');
        return make(request);
      },
      async cancel({ providerId, signal }) {
        await respond(signal);
        const { state } = stateOf(open(providerId));
        if (state === 'in_progress' || state === 'completed') throw partnerRefused('The visit has begun');
      },
      async get({ providerId, signal }) {
        await respond(signal);
        const booking = decodeBooking(providerId);
        return booking && stateOf(booking);
      },
      async readPush() {
        throw pushRefused('Simulated partners send no webhooks');
      },
    };
  };
}
