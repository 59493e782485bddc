import type { CompleteRange } from '@pulsewire/contract';
import { diary, meter, sensor } from '../dexcom.ts';
import { mapEgvs } from '../mappers/map-egvs.ts';
import { insulinKinds, mapEvents } from '../mappers/map-events.ts';
import { rangePull } from './range-pull.ts';
import { ofKind, samplesInside } from '../../kit/records/complete-ranges.ts';
import type { PullSpec, PullWindow } from '../../kit/types/connector.ts';

/** The complete diary of some days. */
function allEvents(window: PullWindow, now: Date | undefined): CompleteRange[] {
  return [
    ...samplesInside(window, now, diary, ['carbohydrates', 'note', 'workout_duration']),
    ...samplesInside(window, now, meter, ['glucose']),
    ...insulinKinds.flatMap((kind) => ofKind(kind, samplesInside(window, now, diary, ['insulin_injection']))),
  ];
}

/** In order of priority, because calls are limited. */
export const dexcomPulls: readonly PullSpec[] = [
  // Receivers upload their readings days late.
  rangePull({
    name: 'egvs',
    collection: 'egvs',
    resources: ['glucose'],
    rereadDays: 5,
    deletions: 'by_absence',
    complete: (window, now) => samplesInside(window, now, sensor, ['glucose']),
    map: mapEgvs,
  }),
  // Diary entries are added, changed and deleted afterwards.
  rangePull({
    name: 'events',
    collection: 'events',
    resources: ['insulin_injection', 'carbohydrates', 'note', 'workout_duration', 'glucose'],
    rereadDays: 5,
    // Most deleted entries are listed as such; an entry that was moved is listed only at its new time.
    deletions: 'by_absence',
    complete: allEvents,
    map: mapEvents,
  }),
];
