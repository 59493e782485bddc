import { AppError } from '@pulsewire/kernel';
import type { Delivery, UserQueue } from './delivery.ts';
import { transitions, type Transition } from './transitions.ts';

// The only file that writes to a delivery: everything else sees readonly fields and calls these functions.

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** False and without effect when the transition is illegal. */
function tryMove(delivery: Delivery, transition: Transition): boolean {
  const next = transition[delivery.state];
  if (next === undefined) return false;
  const mutable: Mutable<Delivery> = delivery;
  mutable.state = next;
  return true;
}

/** Throws AppError `delivery_transition_illegal` and changes nothing: continuing could settle a delivery twice, or never. */
function move(delivery: Delivery, name: keyof typeof transitions): void {
  if (tryMove(delivery, transitions[name])) return;
  throw new AppError({
    code: 'delivery_transition_illegal',
    kind: 'bug',
    message: 'Illegal delivery state transition',
    details: { transition: name, state: delivery.state },
  });
}

export function startAttempt(delivery: Delivery, nowMs: number): void {
  move(delivery, 'startAttempt');
  const mutable: Mutable<Delivery> = delivery;
  mutable.startedAtMs = nowMs;
}

export const finishAttempt = (delivery: Delivery): void => move(delivery, 'finishAttempt');

export function parkAttempt(delivery: Delivery, leaseEndsAtMs: number): void {
  move(delivery, 'parkAttempt');
  const mutable: Mutable<Delivery> = delivery;
  mutable.leaseEndsAtMs = leaseEndsAtMs;
}

export const cancelParking = (delivery: Delivery): void => move(delivery, 'cancelParking');
export const parkDelivery = (delivery: Delivery): void => move(delivery, 'park');
export const releaseDelivery = (delivery: Delivery): void => move(delivery, 'release');
export const endDelivery = (delivery: Delivery): void => move(delivery, 'end');
export const expireDelivery = (delivery: Delivery): void => move(delivery, 'expire');

// These are called for many deliveries at once. One in the wrong state must not stop the others, so an illegal transition is refused
// with false, for the caller to log.

export const commitRow = (delivery: Delivery): boolean => tryMove(delivery, transitions.commitRow);
export const commitOutcome = (delivery: Delivery): boolean => tryMove(delivery, transitions.commitOutcome);
export const loseDelivery = (delivery: Delivery): boolean => tryMove(delivery, transitions.lose);

/** Sets the queue of the delivery's user, once. */
export function joinUserQueue(delivery: Delivery, userQueue: UserQueue): void {
  if (delivery.userQueue !== null)
    throw new AppError({ code: 'delivery_already_queued', kind: 'bug', message: 'The delivery is already in a user queue' });
  const mutable: Mutable<Delivery> = delivery;
  mutable.userQueue = userQueue;
}

/** Waits in memory for its attempt. */
export const isQueued = ({ state }: Delivery): boolean => state === 'queued' || state === 'leased';

export const isAttempting = ({ state }: Delivery): boolean =>
  state === 'attempting' || state === 'leasedAttempting' || state === 'parkingAttempting' || state === 'lostAttempting';

/** It is finished, except perhaps for being recorded. */
export const isOver = (delivery: Delivery): boolean => !isQueued(delivery) && !isAttempting(delivery);

/** The position of its shard waits for it to be attempted. */
export const holdsPosition = ({ state }: Delivery): boolean => state === 'queued' || state === 'attempting';

/** Its shard went to another member or its lease expired, so we must not record it. */
export const isLost = ({ state }: Delivery): boolean => state === 'dropped' || state === 'lostAttempting';

/** It has a row in webhook_pending, or one is being written. */
export const hasRow = ({ state }: Delivery): boolean =>
  state === 'leased' ||
  state === 'leasedAttempting' ||
  state === 'leasedRecording' ||
  state === 'parking' ||
  state === 'parkingAttempting' ||
  state === 'parkingRecording';
