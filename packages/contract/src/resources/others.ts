import { dataEvents } from './event-names.ts';
import type { FamilyResource, StreamResource } from './types.ts';

/** Streams. The sleep stream is only read; it has no events. */
export const streamResources: readonly StreamResource[] = [
  { kind: 'stream', name: 'workout_stream', events: dataEvents('workout_stream'), isDeprecated: false },
  { kind: 'stream', name: 'sleep_stream', events: null, isDeprecated: false },
];

function family(name: string): FamilyResource {
  return { kind: 'family', name, events: null, isDeprecated: false };
}

/** Families of lifecycle events, and capability flags of the catalogue. */
export const familyResources: readonly FamilyResource[] = [
  family('connection'),
  family('order'),
  family('result'),
  family('match_review'),
  family('appointment'),
  family('device'),
  family('device_legacy'),
];
