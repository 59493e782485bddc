import { isAppError } from '@pulsewire/kernel';
import { historyDaysMax } from '../../kit/history-depth.ts';
import { summariesOn } from '../../kit/records/complete-ranges.ts';
import { addDays } from '../../kit/time/days.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import type { ProviderHttp, ProviderResponse, PullSpec, PullWindow } from '../../kit/types/connector.ts';
import { readPoints } from '../data-points.ts';
import { createContext, googleScopes, listedSources } from '../google-health.ts';
import { mapWorkouts } from '../mappers/map-workouts.ts';

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

export const workoutsPull: PullSpec = {
  name: 'workouts',
  resources: ['workouts'],
  requiredScopes: [googleScopes.activity],
  chunkDays: 30,
  backfillDays: 365,
  reachDays: historyDaysMax,
  rereadDays: 5,
  deletions: 'by_absence',
  collections: [type],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    const partOf = summariesOn(window, listedSources, 'workouts');
    for await (const response of readWorkoutPages(http, window))
      yield { version: response.version, ...mapWorkouts(response.body, window, context), partOf };
  },
};
