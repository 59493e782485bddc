import { isAppError } from '@pulsewire/kernel';
import type { Quarantined, Summary } from '@pulsewire/contract';
import { completeDays } from '../../kit/pull-presets.ts';
import { isWithin } from '../../kit/records/left-out.ts';
import { collectPages } from '../../kit/http/collect-pages.ts';
import { providerError } from '../../kit/http/provider-error.ts';
import { readOptional } from '../../kit/http/read-optional.ts';
import { samplesInside, summariesOn } from '../../kit/records/complete-ranges.ts';
import { mapTcxStream } from '../../kit/records/tcx-stream.ts';
import { addDays } from '../../kit/time/days.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import type { ProviderHttp, ProviderResponse, PulledPage, PullSpec, PullUser, PullWindow } from '../../kit/types/connector.ts';
import { ifOffered, readPoints, widen } from '../data-points.ts';
import { createContext, googleScopes, listedSources } from '../google-health.ts';
import { formerTypes } from '../device-types.ts';
import { mapWorkouts, readZoneBounds, withStream, zonesType, type ZoneBounds } from '../mappers/map-workouts.ts';

const type = 'exercise';

/** True when the last workout of a page started well before the window: pages are newest first. */
function isBefore({ body }: ProviderResponse, { startDate }: PullWindow): boolean {
  const points = new JsonNode(body).at('dataPoints').value;
  const last = Array.isArray(points) ? new JsonNode(points.at(-1)).at('exercise').at('interval').at('startTime').value : undefined;
  return typeof last === 'string' && last < addDays(startDate, -1);
}

/**
 * Pages of workouts around a window. Some accounts were seen to refuse every filter on workouts: they are then read newest first, until
 * they are older than the window.
 */
export async function* readWorkoutPages(http: ProviderHttp, window: PullWindow): AsyncGenerator<ProviderResponse> {
  try {
    yield* readPoints(http, { type, kind: 'session', window });
    return;
  } catch (error) {
    if (!isAppError(error) || error.details['status'] !== 400 || error.code !== 'provider_permanent') throw error;
  }
  for await (const page of readPoints(http, { type, kind: 'session', window: null })) {
    yield page;
    if (isBefore(page, window)) return;
  }
}

interface FoundBounds {
  readonly bounds: ZoneBounds;
  readonly quarantined: readonly Quarantined[];
  /** null: nothing was read. */
  readonly version: bigint | null;
}

async function findBounds(http: ProviderHttp, window: PullWindow, { grantedScopes }: PullUser): Promise<FoundBounds> {
  const read = () => collectPages(readPoints(http, { type: zonesType, kind: 'daily', window }));
  const pages = grantedScopes.includes(googleScopes.metrics) ? await ifOffered(read) : null;
  const quarantined: Quarantined[] = [];
  return { bounds: readZoneBounds(pages?.bodies ?? [], quarantined), quarantined, version: pages?.version ?? null };
}

/** `partialData` also returns the heart rate of workouts without a GPS track. */
const query = { alt: 'media', partialData: 'true' };

/** The workout with its stream, if it has one: a workout that another app wrote has no file. */
async function pullStream(http: ProviderHttp, workout: Summary, user: PullUser, version: bigint): Promise<PulledPage> {
  const id = encodeURIComponent(String(workout.data['provider_id']));
  const path = `/v4/users/me/dataTypes/exercise/dataPoints/${id}:exportExerciseTcx`;
  const response = await ifOffered(() => readOptional(http, path, query, { accepts: 'any' }));
  // Without any content there is nothing to wait for, and the other workouts would wait too.
  const xml = response?.bytes.toString('utf8').trim() ?? '';
  const quarantined: Quarantined[] = [];
  const stream = xml === '' ? null : mapTcxStream(xml, workout, quarantined);
  // A proxy responded: retry, and do not store a workout without a track.
  if (stream === undefined) throw providerError('provider_transient', { reason: 'not_tcx' });
  return { version, records: stream === null ? [workout] : [withStream(user, workout, stream), stream], quarantined };
}

/**
 * Workouts with their streams: one call for each, but the maximum heart rate and the zones are only in its samples. Without the scope for
 * locations there are no streams.
 */
export const workoutsPull: PullSpec = {
  ...completeDays,
  name: 'workouts',
  resources: ['workouts', 'workout_duration', 'workout_distance', 'workout_stream'],
  requiredScopes: [googleScopes.activity],
  chunkDays: 14,
  backfillDays: 365,
  collections: [type],
  async *pull({ http, user, window, now }) {
    const context = createContext(user);
    const found = await findBounds(http, window, user);
    const hasStreams = user.grantedScopes.includes(googleScopes.location);
    const wide = widen(window, 1);
    const partOf = [
      ...samplesInside(wide, now, listedSources, ['workout_duration', 'workout_distance']),
      ...summariesOn(window, listedSources, 'workouts'),
    ];
    const isInside = ({ calendarDate: day }: Summary) => day !== null && isWithin(day, window);
    const list = await collectPages(readWorkoutPages(http, wide));
    if (list === null) return;
    const version = found.version !== null && found.version < list.version ? found.version : list.version;
    const mapped = mapWorkouts(list.bodies, wide, context, found.bounds);
    const workouts = mapped.records.filter((record) => record.kind === 'summary').filter(isInside);
    // A workout of the days around the window is not stored here, so its former self stays, too.
    const formerIds = new Set(
      workouts.flatMap(({ data }) => formerTypes.map((former) => context.idOf('workouts', former, String(data['provider_id'])))),
    );
    const others = mapped.records.filter(
      (record) => record.kind !== 'summary' && (record.kind !== 'summary_removal' || formerIds.has(record.id)),
    );
    const records = hasStreams ? others : [...workouts, ...others];
    yield { version, records, quarantined: [...found.quarantined, ...mapped.quarantined], partOf };
    if (hasStreams) for (const workout of workouts) yield await pullStream(http, workout, user, version);
  },
};
