import type { Quarantined } from '@pulsewire/contract';

/** Resources that are parts of a summary. */
const details: ReadonlySet<string> = new Set(['workout_stream', 'electrocardiogram_voltage']);

/**
 * Whether any of these unreadable parts may be a record that the response has, so that records which seem to be missing may not be
 * removed. A fault in the stream of a workout or the signal of an electrocardiogram hides no record: the workout or the summary was read.
 */
export function hidesRecords(quarantined: readonly Quarantined[]): boolean {
  return quarantined.some(({ resource }) => !details.has(resource));
}
