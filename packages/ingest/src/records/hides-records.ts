import type { Quarantined } from '@pulsewire/contract';

/**
 * Whether any of these unreadable parts may be a record that the response has, so that records which seem to be missing may not be
 * removed. A fault in the stream of a workout hides no record: its workout was read.
 */
export function hidesRecords(quarantined: readonly Quarantined[]): boolean {
  return quarantined.some(({ resource }) => resource !== 'workout_stream');
}
