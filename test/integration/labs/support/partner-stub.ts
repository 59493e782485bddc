import { randomUUID } from 'node:crypto';
import { AppError, sleep } from '@pulsewire/kernel';
import type { BookRequest, PartnerAppointment, PartnerMaker, SchedulingPartner } from '@pulsewire/labs';

export interface StoredBooking {
  readonly providerId: string;
  readonly appointmentId: string;
  readonly request: BookRequest;
  state: PartnerAppointment['state'];
  startAt: Date | null;
  endAt: Date | null;
}

/** What happens to the next calls that change data: the response or the call is lost, it is refused, or confirmed later. */
export type Fault = 'lost_response' | 'lost_call' | 'refusal' | 'unconfirmed' | 'slow' | 'none';

export interface PartnerStub {
  readonly maker: PartnerMaker;
  readonly bookings: StoredBooking[];
  readonly calls: string[];
  /** Faults of the next calls, in this order; later calls have none. */
  readonly faults: Fault[];
  /** Whether lookups of a booking fail. */
  isDown: boolean;
  /** Bookings that are not cancelled. */
  active(): readonly StoredBooking[];
  confirm(): void;
}

const slotMs = 7_200_000;
const slotOf = (slotId: string) => ({ startAt: new Date(Number(slotId)), endAt: new Date(Number(slotId) + slotMs) });
const timeout = () => new AppError({ code: 'partner_timeout', kind: 'unavailable', message: 'No response' });
const refusal = () => new AppError({ code: 'partner_refused', kind: 'upstream', message: 'No' });

function stateOf({ providerId, state, startAt, endAt }: StoredBooking): PartnerAppointment {
  const isTimed = state !== 'pending';
  return {
    providerId,
    externalId: null,
    state,
    startAt: isTimed ? startAt : null,
    endAt: isTimed ? endAt : null,
    canReschedule: state === 'scheduled',
  };
}

/**
 * A phlebotomist who stores bookings and ignores idempotency keys: every call of `book` that arrives creates another booking. Windows of
 * two hours at 8 and 10 UTC; `confirmationMs` is short.
 */
export function createPartnerStub(confirmationMs = 400): PartnerStub {
  const [bookings, calls, faults]: [StoredBooking[], string[], Fault[]] = [[], [], []];
  const find = (providerId: string) => bookings.find((booking) => booking.providerId === providerId);
  const active = () => bookings.filter(({ state }) => state !== 'cancelled');

  async function faulty<T>(name: string, signal: AbortSignal, work: (fault: Fault) => T): Promise<T> {
    calls.push(name);
    const fault = faults.shift() ?? 'none';
    if (fault === 'refusal') throw refusal();
    if (fault === 'lost_call') throw timeout();
    const result = work(fault);
    if (fault === 'lost_response') throw timeout();
    if (fault === 'slow') {
      await sleep(60_000, signal);
      throw timeout();
    }
    return result;
  }

  const partner = (clock: { now(): Date }): SchedulingPartner => ({
    kind: 'phlebotomy',
    slug: 'getlabs',
    isSimulated: true,
    tiers: ['appointment-ready', 'appointment-request'],
    confirmationMs,
    cancellationReasons: [{ reasonId: '00000000-0000-4000-8000-000000000001', name: 'Other', isRefundable: true }],
    async findSlots({ from, to }) {
      calls.push(`slots ${from} ${to}`);
      return [8, 10].map((hour) => {
        const startAt = new Date(Date.parse(`${to}T00:00:00Z`) + (hour - 24) * 3_600_000);
        const expiresAt = new Date(clock.now().getTime() + 600_000);
        const shared = { expiresAt, priceMinor: 1, isPriority: false, available: 1, siteCode: null };
        return { slotId: String(startAt.getTime()), startAt, endAt: new Date(startAt.getTime() + slotMs), ...shared };
      });
    },
    book: (request) =>
      faulty('book', request.signal, (fault) => {
        const { appointmentId, slotId } = request;
        const times = slotId === null ? { startAt: null, endAt: null } : slotOf(slotId);
        const state = slotId === null || fault === 'unconfirmed' ? 'pending' : 'scheduled';
        const booking: StoredBooking = { providerId: randomUUID(), appointmentId, request, state, ...times };
        bookings.push(booking);
        return stateOf(booking);
      }),
    async findBookings({ appointmentId }) {
      calls.push('find');
      return active()
        .filter((known) => known.appointmentId === appointmentId)
        .map(stateOf);
    },
    reschedule: (request) =>
      faulty('reschedule', request.signal, () => {
        const booking = find(request.providerId);
        if (!booking || request.slotId === null) throw refusal();
        Object.assign(booking, { request, ...slotOf(request.slotId) });
        return stateOf(booking);
      }),
    cancel: ({ providerId, signal }) =>
      faulty('cancel', signal, () => {
        const booking = find(providerId);
        if (booking) booking.state = 'cancelled';
      }),
    async get({ providerId }) {
      calls.push('get');
      if (stub.isDown) throw timeout();
      const booking = find(providerId);
      return booking ? stateOf(booking) : null;
    },
    readPush: async () => [],
  });

  const stub: PartnerStub = {
    isDown: false,
    maker: ({ clock }) => partner(clock),
    bookings,
    calls,
    faults,
    active,
    confirm: () => bookings.forEach((booking) => booking.state === 'pending' && (booking.state = 'scheduled')),
  };
  return stub;
}
