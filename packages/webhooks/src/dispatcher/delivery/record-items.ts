import type { AttemptFacts, Delivery, RecordItem, UnsendableReason } from './delivery.ts';
import { hasRow } from './delivery-state.ts';

/**
 * A delivery that becomes a row without an outcome: claimable by any dispatcher, or leased to us while its attempt is in progress. An
 * ordered delivery is held back; the recorder frees it when it is the first of its user.
 */
export function parkItem(delivery: Delivery, leaseMs: number | null): RecordItem {
  const dueInMs = delivery.isOrdered ? null : 0;
  return { delivery, attempt: null, row: 'insert', attempts: delivery.attempts, dueInMs, leaseMs, releases: true };
}

/** Ends a delivery without a request; it appears among the attempts. */
function endedItem(delivery: Delivery, facts: Pick<AttemptFacts, 'outcome' | 'error' | 'attemptedAtMs'>): RecordItem {
  const attempt: AttemptFacts = { ...facts, status: null, durationMs: 0, url: null, disables: null };
  const isRow = hasRow(delivery);
  return { delivery, attempt, row: isRow ? 'delete' : 'none', attempts: delivery.attempts, dueInMs: 0, leaseMs: null, releases: !isRow };
}

/** A delivery whose body is unavailable ends as exhausted. */
export function unsendableItem(delivery: Delivery, error: UnsendableReason, atMs: number): RecordItem {
  return endedItem(delivery, { outcome: 'exhausted', error, attemptedAtMs: atMs });
}

/** A summary that a newer version behind it supersedes. */
export function supersededItem(delivery: Delivery, atMs: number): RecordItem {
  return endedItem(delivery, { outcome: 'superseded', error: null, attemptedAtMs: atMs });
}

/** A delivery that an earlier owner of the shard has recorded: only the position must advance. */
export function alreadyRecordedItem(delivery: Delivery): RecordItem {
  return { delivery, attempt: null, row: 'none', attempts: delivery.attempts, dueInMs: 0, leaseMs: null, releases: true };
}

/**
 * A delivery about a deleted user waits as a row, without an attempt, in case the deletion is undone. That of a replay ends: a replay
 * leaves deleted users out.
 */
export function heldItem(delivery: Delivery, dueInMs: number): RecordItem {
  const isRow = hasRow(delivery);
  const row = delivery.replayId === null ? (isRow ? 'update' : 'insert') : 'delete';
  return { delivery, attempt: null, row, attempts: delivery.attempts, dueInMs, leaseMs: null, isHeld: true, releases: !isRow };
}

/** A row that we release, so that any dispatcher may claim it at once. */
export function freeRowItem(delivery: Delivery): RecordItem {
  return { delivery, attempt: null, row: 'update', attempts: delivery.attempts, dueInMs: 0, leaseMs: null, releases: false };
}

/** Whether the item writes the row of a parked delivery, and no outcome. */
export const isParkItem = ({ attempt, row, isHeld }: RecordItem): boolean => attempt === null && row === 'insert' && isHeld === undefined;
