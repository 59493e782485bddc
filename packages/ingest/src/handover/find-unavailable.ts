import { addDays } from '@pulsewire/kernel';
import { isOpen, openedOn, type ResourceHandover } from '@pulsewire/connections';
import type { Tx } from '@pulsewire/database';
import type { Connector } from '@pulsewire/providers';
import type { PlanContext } from '../context/context.ts';
import { firstRecentDay, shownBy } from './recent.ts';
import type { StoredExtent } from './stored-extents.ts';

/** A pull that was polled within this many days shows whether the provider still permits it. */
const polledDays = 7;

/** The live pulls of a connection whose last finished window was refused for lack of a permission. */
async function refusedPulls({ sql }: Tx, connectionId: string, today: string): Promise<ReadonlySet<string>> {
  const rows = await sql<{ pull: string }[]>`
    SELECT pull FROM (
      SELECT DISTINCT ON (pull) pull, error_code FROM pull_windows
      WHERE connection_id = ${connectionId} AND lane = 'live' AND finished_at IS NOT NULL AND end_date >= ${addDays(today, -polledDays)}
      ORDER BY pull, finished_at DESC) AS last
    WHERE error_code = 'provider_scope_missing'`;
  return new Set(rows.map(({ pull }) => pull));
}

/** Whether the successor may still be asked for a resource, as far as scopes and permissions go. */
function isPermitted(connector: Connector, resource: string, granted: ReadonlySet<string>, refused: ReadonlySet<string>): boolean {
  const needs = connector.resources[resource];
  if (!needs?.required.every((scope) => granted.has(scope))) return false;
  const pulls = connector.pulls.filter(({ resources }) => resources.includes(resource));
  return pulls.length === 0 || pulls.some(({ name }) => !refused.has(name));
}

/**
 * The resources that were handed over and that the successor no longer delivers: it was removed or is in error, their scope or permission
 * was withdrawn, or nothing has arrived for a month. While the successor is paused, there are none.
 */
export async function findUnavailable(
  context: Pick<PlanContext, 'connectorFor'>,
  tx: Tx,
  handover: ResourceHandover,
  { today, extents }: { readonly today: string; readonly extents: () => Promise<ReadonlyMap<string, StoredExtent>> },
): Promise<readonly string[]> {
  const { days, successor } = handover;
  const open = Object.keys(days).filter((resource) => isOpen(days[resource]));
  if (open.length === 0) return [];
  const { connectionId, status } = successor;
  if (connectionId === null || status === 'error') return open;
  const connector = context.connectorFor(successor.provider);
  if (status !== 'connected' || !connector) return [];
  const granted = new Set(successor.grantedScopes);
  const refused = await refusedPulls(tx, connectionId, today);
  const stored = await extents();
  const since = firstRecentDay(today);
  // Where nothing has arrived yet, the day on which the resource was handed over counts.
  const isQuiet = (resource: string) => {
    const last = stored.get(shownBy(context, handover, resource))?.last ?? '';
    return last < since && (openedOn(days[resource]) ?? '') < since;
  };
  return open.filter((resource) => !isPermitted(connector, resource, granted, refused) || isQuiet(resource));
}
