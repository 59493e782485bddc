import { historyDaysMax } from './history-depth.ts';
import type { MappedRecords, PullSpec, PullUser } from './types/connector.ts';

/** Of a pull that needs no scope and that no notification triggers: spread it first. */
export const pullDefaults = { requiredScopes: [], collections: [] } as const satisfies Partial<PullSpec>;

/** Of a pull whose responses are complete for their days, as far back as a team may ask: what is missing from them was deleted. */
export const completeDays = { reachDays: historyDaysMax, rereadDays: 5, deletions: 'by_absence' } as const satisfies Partial<PullSpec>;

/** Of what an account has one of, such as its profile: read whatever the window, and once a day. */
export const profileDefaults = {
  ...pullDefaults,
  name: 'profile',
  resources: ['profile'],
  chunkDays: historyDaysMax,
  backfillDays: 1,
  rereadDays: 1,
  deletions: { unseen: 'There is one profile for as long as there is an account.' },
} as const satisfies Partial<PullSpec>;

interface ProfilePull extends Partial<Omit<PullSpec, 'pull'>> {
  readonly path: string | ((user: PullUser) => string);
  map(body: unknown, user: PullUser): MappedRecords;
}

/** The pull of a profile that one call returns. */
export function createProfilePull({ path, map, ...spec }: ProfilePull): PullSpec {
  return {
    ...profileDefaults,
    ...spec,
    async *pull({ http, user }) {
      const { body, version } = await http.get(typeof path === 'string' ? path : path(user));
      yield { version, ...map(body, user) };
    },
  };
}
