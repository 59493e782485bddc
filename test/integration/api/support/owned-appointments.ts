import type { Caller } from './harness.ts';

/** Ids in requests about appointments. */
export interface AppointmentIds {
  readonly visited_order_id: string;
  readonly booking_key: string;
}

const address = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85004' };
/** Ids of the cancellation reason “Other” of getlabs and quest, the same in every installation. */
const [otherOfGetlabs, otherOfQuest] = ['39872c0f-cb6f-5f37-93b3-db67f0514450', 'fb84e0ff-808a-532b-859c-d16cd3978887'];

/** Whether an operation needs an order without an appointment. */
const books = (path: string) => /\/(?:book|request)$/.test(path);

/** The kinds of appointment: at home, and at a service center. */
const ways = [
  { part: '/phlebotomy/', method: 'at_home_phlebotomy', availability: '/v3/order/phlebotomy/appointment/availability' },
  { part: '/psc/', method: 'walk_in_test', availability: '/v3/order/psc/appointment/availability?lab=quest&zip_code=85004&radius=50' },
];

/** Creates an order of the user, with an appointment if the operation at the path needs one. */
export async function makeAppointment(owner: Caller, path: string, orderOf: (testId: string) => object): Promise<AppointmentIds | null> {
  const way = path.includes('/appointment') ? ways.find(({ part }) => path.includes(part)) : undefined;
  if (!way) return null;
  const { part, method, availability } = way;
  const test = { marker_ids: [261001], name: 'Visit', method, description: 'x' };
  const { id: testId } = (await owner.call('POST', '/v3/lab_tests', test)).body;
  const { id } = (await owner.call('POST', '/v3/order', orderOf(testId))).body.order;
  await owner.call('POST', `/v3/order/${id}/test?final_status=received.${method}.requisition_created`, {});
  const offered = (await owner.call('POST', availability, part === '/psc/' ? undefined : address)).body.slots;
  const [first, second] = offered.flatMap(({ slots }: { slots: { booking_key: string }[] }) => slots.map((slot) => slot.booking_key));
  if (!books(path)) await owner.call('POST', `/v3/order/${id}${part}appointment/book`, { booking_key: first });
  return { visited_order_id: id, booking_key: second };
}

/** The prefix in `ids` of the order that a request concerns. */
export function orderPrefix(path: string): string {
  return path.includes('/appointment') ? 'visited_' : '';
}

/** Bodies by operation. */
export const appointmentBodies: Readonly<Record<string, (ids: Partial<AppointmentIds>) => object>> = {
  findHomeAppointmentSlots: () => address,
  bookHomeAppointment: (ids) => ({ booking_key: ids.booking_key ?? 'none' }),
  requestHomeAppointment: () => ({ address, provider: 'phlebfinders' }),
  rescheduleHomeAppointment: (ids) => ({ booking_key: ids.booking_key ?? 'none' }),
  cancelHomeAppointment: () => ({ cancellation_reason_id: otherOfGetlabs }),
  bookCenterAppointment: (ids) => ({ booking_key: ids.booking_key ?? 'none' }),
  rescheduleCenterAppointment: (ids) => ({ booking_key: ids.booking_key ?? 'none' }),
  cancelCenterAppointment: () => ({ cancellationReasonId: otherOfQuest }),
};
