import { AppError, parseJson } from '@pulsewire/kernel';
import { allPartners, type PartnerAppointment, type PartnerMaker, type SchedulingPartner } from '@pulsewire/labs';
import type { Booking, PartnerRequest } from './booking.ts';

const callMaxMs = 1500;
const slotMs = 7_200_000;

const refused = () => new AppError({ code: 'partner_refused', kind: 'upstream', message: 'The partner refused' });
const timeout = () => new AppError({ code: 'partner_timeout', kind: 'unavailable', message: 'The partner did not respond' });

function stateOf({ providerId, state, startAtMs, endAtMs }: Booking): PartnerAppointment {
  const isTimed = state !== 'pending';
  return {
    providerId,
    externalId: null,
    state,
    startAt: isTimed ? new Date(startAtMs) : null,
    endAt: isTimed ? new Date(endAtMs) : null,
    canReschedule: state === 'scheduled',
  };
}

interface Company {
  readonly url: string;
  readonly kind: SchedulingPartner['kind'];
  readonly slug: string;
  readonly isReal: boolean;
  readonly secret: string;
}

/** A client of the scheduling company's process. */
function scheduler({ url, kind, slug, isReal, secret }: Company): PartnerMaker {
  async function call<T = Booking>(name: string, request: Partial<PartnerRequest>, signal: AbortSignal): Promise<T | null> {
    let response: Response;
    try {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(callMaxMs)]);
      const body = JSON.stringify({ ...request, kind, isReal });
      response = await fetch(`${url}/${name}`, { method: 'POST', body, signal: deadline });
      if (response.status === 200) return (await response.json()) as T | null;
      await response.arrayBuffer();
    } catch {
      throw timeout();
    }
    throw response.status === 409 ? refused() : timeout();
  }
  const existing = async (name: string, request: Partial<PartnerRequest>, signal: AbortSignal) => {
    const booking = await call(name, request, signal);
    if (booking === null) throw refused();
    return stateOf(booking);
  };
  const partner: SchedulingPartner = {
    kind,
    slug,
    isSimulated: !isReal,
    tiers: ['appointment-ready'],
    confirmationMs: 1000,
    cancellationReasons: [{ reasonId: '00000000-0000-4000-8000-000000000001', name: 'Other', isRefundable: true }],
    async findSlots({ from, siteCodes }) {
      return [14, 16, 18].map((hour) => {
        const startAt = new Date(Date.parse(`${from}T00:00:00Z`) + (7 * 24 + hour) * 3_600_000);
        const shared = { expiresAt: new Date(Date.now() + 600_000), priceMinor: 1, isPriority: false, available: 9 };
        const siteCode = siteCodes[0] ?? null;
        return { slotId: String(startAt.getTime()), startAt, endAt: new Date(startAt.getTime() + slotMs), siteCode, ...shared };
      });
    },
    book: ({ appointmentId, slotId, signal }) => existing('book', { appointmentId, slotId: slotId ?? '' }, signal),
    reschedule: ({ appointmentId, providerId, slotId, signal }) =>
      existing('reschedule', { appointmentId, providerId, slotId: slotId ?? '' }, signal),
    async findBookings({ appointmentId, signal }) {
      const bookings = await call<readonly Booking[]>('find', { appointmentId }, signal);
      return (bookings ?? []).map(stateOf);
    },
    async cancel({ providerId, signal }) {
      await call('cancel', { providerId }, signal);
    },
    async get({ providerId, signal }) {
      const booking = await call('get', { providerId }, signal);
      return booking && stateOf(booking);
    },
    async readPush({ headers, body }) {
      if (headers['x-company-secret'] !== secret) throw new AppError({ code: 'push_refused', kind: 'forbidden', message: 'Not signed' });
      return [parseJson(body) as { providerId: string }];
    },
  };
  return () => partner;
}

/** The scheduling partners of the campaign, and those of the release. */
export function campaignPartners(url: string, secret: string): readonly PartnerMaker[] {
  const visits = { url, secret, kind: 'phlebotomy', slug: 'getlabs' } as const;
  const centers = { url, secret, kind: 'service_center', slug: 'quest', isReal: true } as const;
  return [scheduler({ ...visits, isReal: false }), scheduler({ ...visits, isReal: true }), scheduler(centers), ...allPartners];
}
