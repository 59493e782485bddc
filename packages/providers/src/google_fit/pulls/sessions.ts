import { dayMs } from '@pulsewire/kernel';
import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { completeDays } from '../../kit/pull-presets.ts';
import { isWithin } from '../../kit/records/left-out.ts';
import { collectPages } from '../../kit/http/collect-pages.ts';
import { samplesBetween, summariesOn } from '../../kit/records/complete-ranges.ts';
import type { ProviderHttp, PullSpec } from '../../kit/types/connector.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import { ifReadable } from '../classify.ts';
import { readChangedSessions, readSessions, readTotals, stretchOf, type Aggregated } from '../data-sets.ts';
import { appSource, createContext, fitScopes } from '../google-fit.ts';
import { mapMindfulness, mapWorkouts, type WorkoutTotals } from '../mappers/map-sessions.ts';
import { readSessionList, type Session } from '../mappers/read-session.ts';
import { kindOfSession } from '../sports.ts';

const { activity, location, heartRate } = fitScopes;

const totals: readonly { readonly key: keyof WorkoutTotals; readonly by: Aggregated; readonly scope: string }[] = [
  { key: 'steps', by: { dataTypeName: 'com.google.step_count.delta' }, scope: activity },
  { key: 'expended', by: { dataTypeName: 'com.google.calories.expended' }, scope: activity },
  { key: 'distance', by: { dataTypeName: 'com.google.distance.delta' }, scope: location },
  { key: 'heartRate', by: { dataTypeName: 'com.google.heart_rate.bpm' }, scope: heartRate },
];

/** Reads the totals of workouts; a type that was refused once is not requested for the next workout. */
function createTotalsReader(http: ProviderHttp, scopes: readonly string[]) {
  const missing = new Set<string>();
  return async ({ start, end }: Session): Promise<WorkoutTotals> => {
    const found: Record<string, unknown> = {};
    // A workout without length has no totals, and Google refuses an empty range.
    if (end.ms === start.ms) return found;
    for (const { key, by, scope } of totals) {
      if (missing.has(key) || !scopes.includes(scope)) continue;
      const response = await ifReadable(() => readTotals(http, by, { fromMs: start.ms, toMs: end.ms }, 'whole'));
      if (response === null) missing.add(key);
      else found[key] = response.body;
    }
    return found;
  };
}

/**
 * Workouts and meditations that start in the window. A list is selected by the end of its sessions, so a day more is read; an end that is
 * later still belongs to no workout.
 */
export const sessionsPull: PullSpec = {
  ...completeDays,
  name: 'sessions',
  resources: ['workouts', 'mindfulness_minutes'],
  requiredScopes: [activity],
  // Up to four calls for each workout.
  chunkDays: 14,
  backfillDays: 90,
  collections: [],
  async *pull({ http, user, window, now }) {
    const context = createContext(user);
    const stretch = stretchOf(window, context);
    const list = await readSessions(http, { fromMs: stretch.fromMs, toMs: stretch.toMs + dayMs });
    const quarantined: Quarantined[] = [];
    const listed = readSessionList('workouts', list.body, context, quarantined);
    const sessions = listed.filter(({ start }) => isWithin(start.day, window));
    const readWorkoutTotals = createTotalsReader(http, user.grantedScopes);
    const workouts: (readonly [Session, WorkoutTotals])[] = [];
    for (const session of sessions)
      if (kindOfSession(session.code) === 'workout') workouts.push([session, await readWorkoutTotals(session)]);
    const mapped = mapWorkouts(workouts, context);
    const mindful = sessions.filter(({ code }) => kindOfSession(code) === 'mindfulness');
    yield {
      // The list is the oldest response.
      version: list.version,
      records: [...mapped.records, ...mapMindfulness(mindful, context)],
      quarantined: [...quarantined, ...mapped.quarantined],
      allOf: [...summariesOn(window, appSource, 'workouts'), ...samplesBetween(stretch, now, appSource, ['mindfulness_minutes'])],
    };
  },
};

function idsIn(bodies: readonly unknown[], key: string): ReadonlySet<string> {
  const lists = bodies.map((body) => new JsonNode(body).at(key).value);
  return new Set(
    lists.flatMap((list) =>
      (Array.isArray(list) ? list : []).flatMap((session: unknown) => {
        const id = new JsonNode(session).at('id').value;
        return typeof id === 'string' && id !== '' ? [id] : [];
      }),
    ),
  );
}

/**
 * Deletions of sessions older than the days that polls read again. Google lists those of the last 30 days with their ids alone; what the
 * session was is not known, and a removal of what was never stored has no effect. A session that was restored is listed as changed too.
 */
export const deletedSessionsPull: PullSpec = {
  name: 'deleted-sessions',
  resources: ['workouts', 'sleep', 'sleep_cycle'],
  requiredScopes: [fitScopes.activity],
  lanes: ['live'],
  chunkDays: 365,
  backfillDays: 1,
  rereadDays: 1,
  collections: [],
  deletions: { unseen: 'It reads deletions themselves; what exists is read by the other pulls.' },
  async *pull({ http, user }) {
    const found = await collectPages(readChangedSessions(http));
    if (found === null) return;
    const context = createContext(user);
    const present = idsIn(found.bodies, 'session');
    const records = [...idsIn(found.bodies, 'deletedSession')]
      .filter((id) => !present.has(id))
      .flatMap((externalId): CanonicalRecord[] =>
        ['workouts', 'sleep', 'sleep_cycle'].map((resource) => context.removal({ resource, sourceType: appSource, externalId })),
      );
    yield { version: found.version, records, quarantined: [] };
  },
};
