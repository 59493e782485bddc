import { describe, expect, it } from 'vitest';
import type { HighStatus, LowStatus, OrderStatus } from '../../../../packages/labs/src/model/order-status-words.ts';
import type { Booking } from '../booking.ts';
import { judge, lostEvents, type StoredAppointment, type StoredOrder, type StoredState } from './judge.ts';
import type { CompanyState } from './judge-company.ts';

const walkIn = (low: LowStatus, high: HighStatus = 'received'): OrderStatus => `${high}.walk_in_test.${low}`;
const statuses = [walkIn('ordered'), walkIn('requisition_created'), walkIn('completed', 'completed')];
const order: StoredOrder = {
  id: 'order-1',
  userId: 'user-1',
  method: 'walk_in_test',
  registrable: false,
  status: walkIn('completed', 'completed'),
  statuses,
  announced: 3,
};
const appointment: StoredAppointment = {
  id: 'appointment-1',
  status: 'confirmed',
  providerId: 'booking-1',
  startAtMs: 1000,
  history: ['pending', 'scheduled'],
  announced: 2,
};
const booking: Booking = {
  providerId: 'booking-1',
  appointmentId: 'appointment-1',
  kind: 'phlebotomy',
  isReal: true,
  state: 'scheduled',
  startAtMs: 1000,
  endAtMs: 2000,
  bookedAtMs: 0,
};
const placed = { sampleId: 'S', lab: 'quest', isKit: false, isDone: true, values: {}, placedAtMs: 0, testedAfterMs: 0 };
const company: CompanyState = { orders: [{ ...placed, orderId: 'order-1', isCancelled: false, said: ['accepted', 'final'] }], parcels: [] };
const state: StoredState = {
  orders: [order],
  appointments: [appointment],
  real: [{ id: 'order-1', method: 'walk_in_test', lows: ['ordered', 'requisition_created', 'completed'], reviews: 0 }],
};
const observed = { orders: new Map([['key-1', new Set(['order-1'])]]), appointments: new Set(['appointment-1']) };

interface History {
  readonly orders?: readonly StoredOrder[];
  readonly appointments?: readonly StoredAppointment[];
  readonly bookings?: readonly Booking[];
  readonly company?: CompanyState;
  readonly observed?: typeof observed;
}
const faultsOf = ({ orders = [order], appointments = [appointment], bookings = [booking], ...rest }: History) =>
  judge({ ...state, orders, appointments }, bookings, rest.company ?? company, rest.observed ?? observed).faults;

it('finds nothing wrong with a history that is complete', () => {
  expect(judge(state, [booking], company, observed)).toEqual({ orders: 1, standing: 1, kits: 0, faults: [] });
});

describe('a booking', () => {
  it('that exists twice at the partner is found', () => {
    expect(faultsOf({ bookings: [booking, { ...booking, providerId: 'booking-2' }] })).toEqual([
      'Appointment appointment-1 is booked twice',
    ]);
  });

  it('that stands for a cancelled or unknown appointment is found', () => {
    const cancelled = { ...appointment, status: 'cancelled', history: ['pending', 'cancelled'] };
    expect(faultsOf({ appointments: [cancelled] })).toEqual(['Booking booking-1 stands, and its appointment is cancelled']);
    const other = { ...booking, providerId: 'booking-2', appointmentId: 'appointment-2' };
    expect(faultsOf({ bookings: [booking, other] })).toEqual(['Booking booking-2 belongs to no appointment']);
  });

  it.each(['confirmed', 'in_progress', 'completed'])('that the partner forgot is found while its appointment is %s', (status) => {
    const history = ['pending', 'scheduled', ...(status === 'confirmed' ? [] : [status])];
    const forgotten = { ...appointment, status, history, announced: history.length };
    expect(faultsOf({ appointments: [forgotten], bookings: [] })).toEqual([
      `Appointment appointment-1 is ${status}, and the partner has no booking`,
    ]);
  });

  it('that was confirmed to the client and forgotten here is found', () => {
    expect(faultsOf({ appointments: [], bookings: [] })).toEqual([
      'Appointment appointment-1 was confirmed to its client and is not stored',
    ]);
  });

  it('at another time than its appointment, or never confirmed, is found', () => {
    expect(faultsOf({ bookings: [{ ...booking, startAtMs: 5000 }] })).toEqual([
      'Appointment appointment-1 has another time than its booking',
    ]);
    const pending = { ...appointment, status: 'pending', history: ['pending'], announced: 1 };
    expect(faultsOf({ appointments: [pending] })).toEqual(['Appointment appointment-1 is pending for ever']);
  });
});

describe('an order', () => {
  it('in a status that its history does not explain is found', () => {
    expect(faultsOf({ orders: [{ ...order, status: walkIn('requisition_created') }] })).toHaveLength(1);
    const skipped = { ...order, statuses: [walkIn('ordered'), walkIn('completed', 'completed')], announced: 2 };
    expect(faultsOf({ orders: [skipped] })).toEqual(['The history of order order-1 is not possible: ordered, completed']);
    const headless = { ...order, statuses: statuses.slice(1), announced: 2 };
    expect(faultsOf({ orders: [headless] })).toEqual(['The history of order order-1 is not possible: requisition_created, completed']);
  });

  it('that one request created twice, or that is missing though confirmed, is found', () => {
    const duplicates = [order, { ...order, id: 'order-2' }];
    expect(faultsOf({ orders: duplicates })).toEqual(['User user-1 has more than one order']);
    const both = { ...observed, orders: new Map([['key-1', new Set(['order-1', 'order-2'])]]) };
    expect(faultsOf({ observed: both })).toEqual([
      'Repeats of key-1 returned 2 different orders',
      'Order order-2 was confirmed to its client and is not stored',
    ]);
  });

  it('that its lab does not have, or completed without results of its lab, is found', () => {
    expect(faultsOf({ company: { orders: [], parcels: [] } })).toEqual(['Order order-1 is completed, and no lab has it']);
    const silent = company.orders.map((known) => ({ ...known, said: ['accepted'] }));
    expect(faultsOf({ company: { ...company, orders: silent } })).toEqual([
      'Order order-1 is completed, and its lab has not reported results',
    ]);
  });
});

describe('a result', () => {
  it('that is lost, or older than what its lab said last, is found', () => {
    const values = { '1001': '72.5', '1002': null, '1003': '80', '1004': '90' };
    const reported = company.orders.map((known) => ({ ...known, values }));
    const results = new Map([
      ['1001', '72.5'],
      ['1002', '71'],
      ['1004', '89'],
    ]);
    const real = state.real.map((known) => ({ ...known, results }));
    expect(judge({ ...state, real }, [booking], { ...company, orders: reported }, observed).faults).toEqual([
      'Result 1002 of order order-1 is 71, and its lab said last not measured',
      'Result 1003 of order order-1 is nothing, and its lab said last 80',
      'Result 1004 of order order-1 is 89, and its lab said last 90',
    ]);
  });
});

describe('a test kit', () => {
  const parcel = { orderId: 'order-1', sampleId: 'S', lab: 'quest', at: '', sentAfterMs: 0 };
  const faultsOfKit = (lows: readonly LowStatus[], kitState: string) => {
    const real = [{ id: 'order-1', method: 'testkit', lows, reviews: 0 }];
    const parcels = [{ ...parcel, state: kitState, way: ['packing', kitState] }];
    return judge(
      { ...state, real },
      [booking],
      { orders: [{ ...placed, orderId: 'order-1', isCancelled: false, said: [] }], parcels },
      observed,
    ).faults;
  };

  it('that is further on than its order shows is found', () => {
    expect(faultsOfKit(['ordered', 'requisition_created'], 'with_customer')).toEqual([
      'The kit of order order-1 is with_customer after packing, with_customer, and the order had only ordered, requisition_created',
    ]);
    const registered = ['ordered', 'awaiting_registration', 'registered', 'requisition_created'] as const;
    expect(faultsOfKit(registered, 'delivered_to_lab')).toHaveLength(1);
  });

  it('that was registered before it arrived is at its customer without a status of its order', () => {
    expect(faultsOfKit(['ordered', 'awaiting_registration', 'registered', 'requisition_created'], 'with_customer')).toEqual([]);
  });
});

describe('an event', () => {
  it('that a change of an order or appointment did not write, or wrote twice, is found', () => {
    expect(faultsOf({ orders: [{ ...order, announced: 2 }] })).toEqual(['Order order-1 has 3 changes, of which 2 have events']);
    for (const announced of [1, 3])
      expect(faultsOf({ appointments: [{ ...appointment, announced }] })).toEqual([
        `Appointment appointment-1 has 2 changes and ${announced} events`,
      ]);
  });

  it('that one of the endpoints of its team did not receive is found', () => {
    const ofTeams = [
      [new Set(['a', 'b']), new Set(['a'])],
      [new Set(['c']), new Set(['c'])],
    ];
    expect(lostEvents(['a', 'b', 'c'], ofTeams)).toEqual(['b']);
  });
});
