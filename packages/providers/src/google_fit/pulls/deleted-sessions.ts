import type { CanonicalRecord } from '@pulsewire/contract';
import { collectPages } from '../../kit/http/collect-pages.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readChangedSessions } from '../data-sets.ts';
import { appSource, createContext, fitScopes } from '../google-fit.ts';

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
