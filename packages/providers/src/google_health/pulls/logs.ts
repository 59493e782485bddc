import type { CompleteRange } from '@pulsewire/contract';
import { profileDefaults, completeDays } from '../../kit/pull-presets.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import { collectPages } from '../../kit/http/collect-pages.ts';
import { samplesInside, summariesOn } from '../../kit/records/complete-ranges.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords, PullSpec, PullWindow } from '../../kit/types/connector.ts';
import { collectTypes, readPoints, widen } from '../data-points.ts';
import { createContext, googleScopes } from '../google-health.ts';
import { mapAlerts, mapEcg, mapNotes, mapProfile, mapWater } from '../mappers/map-logs.ts';
import { mapMeals } from '../mappers/map-meals.ts';
import { readWorkoutPages } from './workouts.ts';

interface Log extends Pick<PullSpec, 'name' | 'resources' | 'requiredScopes' | 'collections' | 'deletions'> {
  readonly kind: 'session' | 'ecg';
  map(body: unknown, window: PullWindow, context: RecordMaker): MappedRecords;
  /** What all pages of a window cover completely; absent: nothing. */
  partOf?(window: PullWindow, now: Date | undefined): readonly CompleteRange[];
}

/** A data type whose points are mapped page by page. Its name is that of the pull. */
const logPull = ({ kind, map, partOf, ...spec }: Log): PullSpec => ({
  ...spec,
  chunkDays: 30,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: 5,
  async *pull({ http, user, window, now }) {
    const complete = partOf && { partOf: partOf(window, now) };
    for await (const response of readPoints(http, { type: spec.name, kind, window }))
      yield { version: response.version, ...map(response.body, window, createContext(user)), ...complete };
  },
});

export const waterPull = logPull({
  name: 'hydration-log',
  kind: 'session',
  resources: ['water'],
  requiredScopes: [googleScopes.nutrition],
  collections: ['hydration-log'],
  deletions: 'by_absence',
  map: (body, _window, context) => mapWater(body, context),
  partOf: (window, now) => samplesInside(window, now, 'app', ['water']),
});

export const alertsPull = logPull({
  name: 'irregular-rhythm-notification',
  kind: 'session',
  resources: ['heart_rate_alert'],
  requiredScopes: [googleScopes.rhythm],
  collections: [],
  deletions: { unseen: 'An alert that was raised stays raised.' },
  map: (body, _window, context) => mapAlerts(body, context),
});

export const ecgPull = logPull({
  name: 'electrocardiogram',
  kind: 'ecg',
  resources: ['electrocardiogram', 'electrocardiogram_voltage'],
  requiredScopes: [googleScopes.ecg],
  collections: [],
  deletions: { unseen: 'The list has no upper bound, so a window is never known to be complete.' },
  map: mapEcg,
});

/** The foods of a meal may be on several pages, so a window is mapped as a whole. */
export const mealsPull: PullSpec = {
  ...completeDays,
  name: 'nutrition-log',
  resources: ['meal', 'carbohydrates', 'caffeine'],
  requiredScopes: [googleScopes.nutrition],
  chunkDays: 30,
  backfillDays: 90,
  collections: ['nutrition-log'],
  async *pull({ http, user, window, now }) {
    const found = await collectPages(readPoints(http, { type: 'nutrition-log', kind: 'session', window }));
    if (found === null) return;
    const partOf = [...summariesOn(window, 'app', 'meal'), ...samplesInside(window, now, 'app', ['carbohydrates', 'caffeine'])];
    yield { version: found.version, ...mapMeals(found.bodies, createContext(user)), partOf };
  },
};

/** Notes are parts of points that other pulls read, but one series: only when all of them are read together is it known to be complete. */
export const notesPull: PullSpec = {
  ...completeDays,
  name: 'notes',
  resources: ['note'],
  requiredScopes: [googleScopes.metrics],
  chunkDays: 30,
  backfillDays: 90,
  collections: ['weight', 'blood-glucose', 'exercise'],
  async *pull({ http, user, window, now }) {
    const types = [{ type: 'weight', kind: 'sample' } as const, { type: 'blood-glucose', kind: 'sample' } as const] as const;
    const wide = widen(window, 1);
    const found = await collectTypes(http, types, wide);
    if (found === null) return;
    // Read last, so that the version of the others is the oldest.
    const hasWorkouts = user.grantedScopes.includes(googleScopes.activity);
    const exercise = hasWorkouts ? await collectPages(readWorkoutPages(http, wide)) : null;
    const bodies = { ...found.bodies, exercise: exercise?.bodies ?? [] };
    const partOf = exercise === null ? [] : samplesInside(wide, now, 'app', ['note']);
    yield { version: found.version, ...mapNotes(bodies, wide, createContext(user)), partOf };
  },
};

export const profilePull: PullSpec = {
  ...profileDefaults,
  requiredScopes: [googleScopes.metrics],
  // One call, whatever the window: the newest height.
  collections: ['height'],
  async *pull({ http, user }) {
    for await (const response of readPoints(http, { type: 'height', kind: 'sample', window: null })) {
      yield { version: response.version, ...mapProfile(response.body, createContext(user)) };
      return;
    }
  },
};
