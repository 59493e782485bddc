import { collectPages } from '../../kit/http/collect-pages.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readPoints, stretchOf } from '../data-sets.ts';
import { createContext, fitScopes, mergedStream } from '../google-fit.ts';
import { mapProfile } from '../mappers/map-profile.ts';

export const profilePull: PullSpec = {
  name: 'profile',
  resources: ['profile'],
  requiredScopes: [fitScopes.body],
  chunkDays: 365,
  backfillDays: 1,
  rereadDays: 1,
  collections: [],
  deletions: { unseen: 'There is one record for as long as there is an account.' },
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
