import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { isAppError } from '@pulsewire/kernel';
import { endpoint, logEvent } from '../../testing/samples.ts';
import type { Delivery, UnrecordedEvent } from './delivery.ts';
import * as lifecycle from './delivery-state.ts';
import { newDelivery } from './new-delivery.ts';
import { transitions, type DeliveryState, type Transition } from './transitions.ts';

const message = { eventId: '', eventType: '', messageId: '', body: Buffer.alloc(0) };
const place = { shard: 1, epoch: 1, offset: 1, day: '2026-01-04', bytes: 1, acceptedAtMs: 0 };
const entry: UnrecordedEvent = { ...place, open: 1, deliveries: [], isDropped: false };

const make = (isClaimed: boolean): Delivery =>
  newDelivery({ endpoint: endpoint(), event: logEvent(), message, entry: isClaimed ? null : entry, attempts: 0 });

/** The function of each transition; returns false or throws when the transition is illegal. */
const performers: Record<keyof typeof transitions, (delivery: Delivery) => boolean | void> = {
  startAttempt: (delivery) => lifecycle.startAttempt(delivery, 5),
  finishAttempt: lifecycle.finishAttempt,
  parkAttempt: (delivery) => lifecycle.parkAttempt(delivery, 9),
  cancelParking: lifecycle.cancelParking,
  park: lifecycle.parkDelivery,
  release: lifecycle.releaseDelivery,
  end: lifecycle.endDelivery,
  expire: lifecycle.expireDelivery,
  commitRow: lifecycle.commitRow,
  commitOutcome: lifecycle.commitOutcome,
  lose: lifecycle.loseDelivery,
};
const names = Object.keys(performers) as (keyof typeof transitions)[];
const table: Readonly<Record<string, Transition>> = transitions;
const states = [...new Set(Object.values(table).flatMap((one) => Object.entries(one).flat()))] as DeliveryState[];
const final: readonly DeliveryState[] = ['recorded', 'dropped'];

/** Whether the transition happened. */
function perform(delivery: Delivery, name: keyof typeof transitions): boolean {
  try {
    return performers[name](delivery) !== false;
  } catch (error) {
    if (isAppError(error) && error.code === 'delivery_transition_illegal') return false;
    throw error;
  }
}

const isAttempting = (state: DeliveryState) => state.toLowerCase().endsWith('attempting');
const isHandedOver = (state: DeliveryState) => state === 'parking' || state.toLowerCase().endsWith('recording');
const holdsClaim = (state: DeliveryState) => state.startsWith('leased');

/** The events of one delivery, derived from its transitions. */
interface Ledger {
  started: number;
  ended: number;
  handedOver: number;
  claimed: number;
  released: number;
}

function note(ledger: Ledger, before: DeliveryState, after: DeliveryState): void {
  if (!isAttempting(before) && isAttempting(after)) ledger.started += 1;
  if (isAttempting(before) && !isAttempting(after)) ledger.ended += 1;
  if (!isHandedOver(before) && isHandedOver(after)) ledger.handedOver += 1;
  if (!holdsClaim(before) && holdsClaim(after)) ledger.claimed += 1;
  if (holdsClaim(before) && !holdsClaim(after)) ledger.released += 1;
}

describe('the states of a delivery', () => {
  it('change only by legal transitions, for any calls in any order', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(fc.constantFrom(...names), { maxLength: 60 }), (isClaimed, calls) => {
        const delivery = make(isClaimed);
        for (const name of calls) {
          const before = { ...delivery };
          const next = table[name]?.[before.state];
          expect(perform(delivery, name)).toBe(next !== undefined);
          if (next === undefined) expect(delivery).toEqual(before);
          else expect(delivery.state).toBe(next);
        }
      }),
    );
  });

  it('allow one attempt, one settlement and one release of a claim; the in-flight count is exact', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(...names)), { maxLength: 120 }),
        (claims, calls) => {
          const all = claims.map((isClaimed) => ({
            delivery: make(isClaimed),
            ledger: { started: 0, ended: 0, handedOver: 0, claimed: isClaimed ? 1 : 0, released: 0 },
          }));
          let inFlight = 0;
          for (const [index, name] of calls) {
            const { delivery, ledger } = all[index % all.length] as (typeof all)[number];
            const before = delivery.state;
            perform(delivery, name);
            note(ledger, before, delivery.state);
            inFlight += Number(isAttempting(delivery.state)) - Number(isAttempting(before));
            expect(inFlight).toBe(all.filter((one) => lifecycle.isAttempting(one.delivery)).length);
          }
          for (const { delivery, ledger } of all) {
            expect(ledger.started).toBeLessThanOrEqual(1);
            expect(ledger.ended).toBe(ledger.started - Number(isAttempting(delivery.state)));
            expect(ledger.claimed).toBeLessThanOrEqual(1);
            expect(ledger.released).toBe(ledger.claimed - Number(holdsClaim(delivery.state)));
            expect(ledger.handedOver).toBeLessThanOrEqual(1);
            if (delivery.state === 'recorded') expect(ledger.handedOver).toBe(1);
          }
        },
      ),
    );
  });

  it('lead to a final state from every state, and never out of one', () => {
    const leadsToEnd = new Set<DeliveryState>(final);
    for (let size = 0; size !== leadsToEnd.size;) {
      size = leadsToEnd.size;
      for (const one of Object.values(table))
        for (const [from, to] of Object.entries(one)) if (leadsToEnd.has(to)) leadsToEnd.add(from as DeliveryState);
    }
    expect([...leadsToEnd].toSorted()).toEqual(states.toSorted());
    for (const one of Object.values(table)) for (const state of final) expect([undefined, state]).toContain(one[state]);
  });

  it('are each exactly one of queued, attempting or finished', () => {
    for (const state of states) {
      const delivery: Delivery = { ...make(true), state };
      const [queued, attempting] = [lifecycle.isQueued(delivery), lifecycle.isAttempting(delivery)];
      expect([queued, attempting, lifecycle.isOver(delivery)].filter(Boolean)).toHaveLength(1);
      if (lifecycle.hasRow(delivery)) expect(lifecycle.isLost(delivery) || lifecycle.holdsPosition(delivery)).toBe(false);
    }
  });

  it('preserve the start of the attempt and the end of a lease', () => {
    const delivery = make(false);
    lifecycle.startAttempt(delivery, 5);
    lifecycle.parkAttempt(delivery, 9);
    expect(delivery).toMatchObject({ state: 'parkingAttempting', startedAtMs: 5, leaseEndsAtMs: 9 });
  });
});
