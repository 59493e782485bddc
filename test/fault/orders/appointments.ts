import type { ApiCaller, ClientOptions } from './caller.ts';

export const home = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ' };
const reasonId = '00000000-0000-4000-8000-000000000001';
const booking = { async_confirmation: true, sync_confirmation_timeout_millisecond: 1000, async_confirmation_timeout_millisecond: 60_000 };

const places = {
  phlebotomy: {
    slots: '/v3/order/phlebotomy/appointment/availability',
    at: { ...home, zip_code: '85004' },
    reason: { cancellation_reason_id: reasonId },
  },
  psc: {
    slots: '/v3/order/psc/appointment/availability?lab=quest&zip_code=85004&radius=100',
    at: undefined,
    reason: { cancellationReasonId: reasonId },
  },
} as const;

/** Books an appointment for an order that is ready, and perhaps reschedules or cancels it, or cancels its order. */
export async function bookAndChange(api: ApiCaller, options: ClientOptions, orderId: string, place: keyof typeof places): Promise<boolean> {
  const { random, observed, signal } = options;
  const { slots, at, reason } = places[place];
  const path = `/v3/order/${orderId}/${place}/appointment`;

  async function bookingKey(): Promise<string | undefined> {
    const reply = await api.insist('POST', slots, at);
    const keys = reply?.body.slots?.flatMap((day) => day.slots.map((slot) => slot.booking_key)) ?? [];
    if (keys.length === 0) refuse(`availability: ${JSON.stringify(reply?.body)?.slice(0, 200)}`);
    return keys[Math.floor(random() * keys.length)];
  }
  function refuse(why: string): void {
    observed.refusals.set(why, (observed.refusals.get(why) ?? 0) + 1);
  }

  for (let tries = 0; tries < 4 && !signal.aborted; tries++) {
    const key = await bookingKey();
    if (key === undefined) return false;
    // Not repeated unchanged: after a missing response, the next attempt shows whether this one was accepted.
    const reply = await api.call('POST', `${path}/book`, { booking_key: key, ...(random() < 0.8 && booking) });
    if (reply?.status === 200) {
      observed.counts.booked += 1;
      if (reply.body.id !== undefined) observed.appointments.add(reply.body.id);
      break;
    }
    refuse(reply ? `${reply.status} ${JSON.stringify(reply.body.detail)}` : 'no response');
  }
  const next = random();
  if (next < 0.25) {
    const reply = await api.insist('PATCH', `${path}/cancel`, reason);
    if (reply?.status === 200) observed.counts.cancelled += 1;
  } else if (next < 0.5) {
    const key = await bookingKey();
    const reply = key === undefined ? null : await api.call('PATCH', `${path}/reschedule`, { booking_key: key });
    if (reply?.status === 200) observed.counts.rescheduled += 1;
  } else if (next < 0.6) await api.insist('POST', `/v3/order/${orderId}/cancel`);
  return next >= 0.6;
}
