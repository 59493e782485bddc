// A company that takes bookings of visits and at service centers, in a separate process, which may be killed like ours: it stores every
// booking before it responds. It ignores idempotency keys, so each call of `book` that arrives creates another booking, and responds late
// or not at all, or changes its decision. Bookings of real teams take place, and each change is announced by webhooks.
import { randomUUID } from 'node:crypto';
import { createRandom } from '../harness/random.ts';
import type { Booking, PartnerRequest } from './booking.ts';
import { openJournal } from './journal.ts';
import { serve } from './serve.ts';
import { createWebhooks } from './webhooks.ts';

const [, , file = '', port = '0', seed = '1', urls = '', secret = ''] = process.argv;
const random = createRandom(Number(seed));
const bookings = new Map<string, Booking>();
const webhooks = createWebhooks(urls.split(','), random);
const lateMs = 2000;
const slotMs = 7_200_000;
/** A visit begins no sooner, so that a repeated call for it has arrived. */
const visitAfterMs = 6000;

const slugs: Readonly<Record<string, string>> = { phlebotomy: 'getlabs', service_center: 'quest' };
function announce({ providerId, kind, isReal }: Booking): void {
  if (!isReal) return;
  const body = JSON.stringify({ providerId });
  webhooks.send({ path: slugs[kind] ?? '', body, headers: () => ({ 'x-company-secret': secret }), confirmed: () => {} });
}

const write = openJournal<Booking>(file, (booking) => void bookings.set(booking.providerId, booking));
// What was not confirmed before the process died is announced again.
for (const booking of bookings.values()) announce(booking);
function store(booking: Booking): Booking {
  write(booking);
  announce(booking);
  return booking;
}

const active = () => [...bookings.values()].filter(({ state }) => state !== 'cancelled');
const isOpen = ({ state }: Booking) => state === 'pending' || state === 'scheduled';
/** A booking that waits for its confirmation is confirmed when it is old enough. */
const isDue = ({ state, bookedAtMs }: Booking) => state === 'pending' && Date.now() - bookedAtMs >= lateMs;
const current = (booking: Booking): Booking => (isDue(booking) ? store({ ...booking, state: 'scheduled' }) : booking);

const handlers: Readonly<Record<string, (request: PartnerRequest) => Booking | readonly Booking[] | null | 'refused'>> = {
  book({ appointmentId, slotId, kind, isReal }) {
    if (random() < 0.05) return 'refused';
    const startAtMs = Number(slotId);
    const state = random() < 0.2 ? 'pending' : 'scheduled';
    const times = { startAtMs, endAtMs: startAtMs + slotMs, bookedAtMs: Date.now() };
    return store({ providerId: randomUUID(), appointmentId, kind, isReal, state, ...times });
  },
  find: ({ appointmentId }) =>
    active()
      .filter((booking) => booking.appointmentId === appointmentId)
      .map(current),
  reschedule({ providerId, slotId }) {
    const booking = bookings.get(providerId);
    if (!booking || !isOpen(booking) || random() < 0.05) return 'refused';
    const startAtMs = Number(slotId);
    return store({ ...booking, state: 'scheduled', startAtMs, endAtMs: startAtMs + slotMs });
  },
  cancel({ providerId }) {
    const booking = bookings.get(providerId);
    if (!booking || booking.state === 'cancelled') return booking ?? null;
    return isOpen(booking) ? store({ ...booking, state: 'cancelled' }) : 'refused';
  },
  get({ providerId }) {
    const booking = bookings.get(providerId);
    return booking ? current(booking) : null;
  },
};

const isCalm = serve(
  Number(port),
  random,
  () => ({ bookings: active(), ...webhooks.state() }),
  ({ path, body }) => {
    const result = handlers[path.slice(1)]?.(JSON.parse(body) as PartnerRequest) ?? null;
    return { status: result === 'refused' ? 409 : 200, body: result };
  },
);

/** One visit begins or ends, or the company cancels it. */
function visit(): void {
  const isAlone = ({ appointmentId }: Booking) => active().filter((booking) => booking.appointmentId === appointmentId).length === 1;
  const isReady = (booking: Booking) => booking.isReal && Date.now() - booking.bookedAtMs > visitAfterMs && isAlone(booking);
  const ready = active().filter((booking) => isReady(booking) && booking.state !== 'completed' && booking.state !== 'pending');
  const booking = ready[Math.floor(random() * ready.length)];
  if (!booking || random() < 0.4) return;
  if (booking.state === 'in_progress') store({ ...booking, state: 'completed' });
  else store({ ...booking, state: random() < 0.15 ? 'cancelled' : 'in_progress' });
}
setInterval(() => isCalm() || visit(), 300);
