import { samplesInside } from '../../kit/complete-ranges.ts';
import type { PullSpec } from '../../kit/types.ts';
import { sensor } from '../dexcom.ts';
import { mapEgvs } from '../map-egvs.ts';
import { mapEvents } from '../map-events.ts';
import { rangePull } from './range-pull.ts';

/** In the order of worth for their calls. */
export const dexcomPulls: readonly PullSpec[] = [
  // Receivers hand their readings over days late.
  rangePull({
    name: 'egvs',
    collection: 'egvs',
    resources: ['glucose'],
    rereadDays: 2,
    deletions: 'by_absence',
    complete: (window, now) => samplesInside(window, now, sensor, ['glucose']),
    map: mapEgvs,
  }),
  // A diary is written, changed and cleared afterwards.
  rangePull({
    name: 'events',
    collection: 'events',
    resources: ['insulin_injection', 'carbohydrates', 'note', 'workout_duration', 'glucose'],
    rereadDays: 3,
    deletions: { unseen: 'An event that was deleted is listed as such.' },
    map: mapEvents,
  }),
];
