import { profileDefaults, completeDays } from '../../kit/pull-presets.ts';
import { collectPages } from '../../kit/http/collect-pages.ts';
import { samplesBetween, summariesOn } from '../../kit/records/complete-ranges.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readPoints, stretchOf } from '../data-sets.ts';
import { createContext, fitScopes, mergedStream, readingSources } from '../google-fit.ts';
import { mapBody, mapProfile } from '../mappers/map-body.ts';

/** A scale writes weight and fat as two streams; both are read before they are stored, so that a body summary is complete. */
export const bodyPull: PullSpec = {
  ...completeDays,
  name: 'body',
  resources: ['weight', 'fat', 'body'],
  requiredScopes: [fitScopes.body],
  chunkDays: 90,
  backfillDays: 90,
  collections: [],
  async *pull({ http, user, window, now }) {
    const context = createContext(user);
    const stretch = stretchOf(window, context);
    const weight = await collectPages(readPoints(http, mergedStream('weight', 'merge_weight'), stretch));
    const fat = await collectPages(readPoints(http, mergedStream('body.fat.percentage', 'merged'), stretch));
    const version = weight?.version ?? fat?.version;
    if (version === undefined) return;
    const read = [...(weight ? ['weight'] : []), ...(fat ? ['fat'] : [])];
    const partOf = [...summariesOn(window, readingSources, 'body'), ...samplesBetween(stretch, now, readingSources, read)];
    yield { version, ...mapBody({ weight: weight?.bodies ?? [], fat: fat?.bodies ?? [] }, context), partOf };
  },
};

export const profilePull: PullSpec = {
  ...profileDefaults,
  requiredScopes: [fitScopes.body],
  // Whatever the window, everything that was ever recorded: a height is entered once in years.
  async *pull({ http, user, window }) {
    const context = createContext(user);
    const { toMs } = stretchOf(window, context);
    const found = await collectPages(readPoints(http, mergedStream('height', 'merge_height'), { fromMs: 0, toMs }));
    if (found === null) return;
    const point = found.bodies.flatMap((body) => pointsOf(body));
    yield { version: found.version, ...mapProfile({ point }, context) };
  },
};

function pointsOf(body: unknown): unknown[] {
  const points = typeof body === 'object' && body !== null && 'point' in body ? body.point : [];
  return Array.isArray(points) ? points : [];
}
