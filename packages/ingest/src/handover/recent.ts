import { addDays } from '@pulsewire/kernel';
import type { ResourceHandover } from '@pulsewire/connections';
import type { PlanContext } from '../context/context.ts';

/** What was measured within this many days shows that a resource is delivered: an old history does not replace what still arrives. */
const recentDays = 30;

export const firstRecentDay = (today: string): string => addDays(today, -recentDays);

/** The resource whose data shows that this one is delivered. */
export function shownBy({ connectorFor }: Pick<PlanContext, 'connectorFor'>, { successor }: ResourceHandover, resource: string): string {
  return connectorFor(successor.provider)?.succeedsPerResource?.shownBy[resource] ?? resource;
}
