import type { Tx } from '@pulsewire/database';
import type { MappedBatch, PhoneWriter, SleepSegment } from '@pulsewire/providers';
import type { VersionedOwner } from '../model/phone-owner.ts';
import { adoptSegments } from './adopt-segments.ts';
import { fillProfiles } from './fill-gaps.ts';
import { saveWriters } from './known-writers.ts';
import { matchWorkouts } from './match-workouts.ts';

/** A batch whose items have the identity of what is stored of the same writer. */
export interface UnifiedBatch extends MappedBatch {
  /** Where segments were stored that are among those of the batch now. */
  readonly movedSegments: readonly SleepSegment[];
}

/**
 * Gives the items of a batch the identity of what is stored of the same workouts, nights and person, and remembers the writers that it
 * names. The caller holds the user's lock.
 */
export async function unifyWriters(
  tx: Tx,
  owner: VersionedOwner,
  known: readonly PhoneWriter[],
  mapped: MappedBatch,
): Promise<UnifiedBatch> {
  const writers = [...known, ...mapped.writers];
  const workouts = await matchWorkouts(tx, owner, await fillProfiles(tx, owner, mapped.records), mapped.refs, writers);
  const segments = await adoptSegments(tx, owner, mapped.segments, writers);
  await saveWriters(tx, owner, known, [...mapped.writers, ...workouts.learnt, ...segments.learnt]);
  const { records, refs } = workouts;
  return { ...mapped, records, refs, segments: segments.added, movedSegments: segments.removed };
}
