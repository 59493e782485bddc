import type { Team } from '@pulsewire/connections';

/**
 * The sources that a merged read prefers, the best first: those of the request, then the team's for this resource, else its general ones.
 */
export function preferredSources(
  requested: readonly string[] | undefined,
  team: Pick<Team, 'sourceOrder'>,
  resource: string,
): readonly string[] {
  const own = Object.hasOwn(team.sourceOrder, resource) ? team.sourceOrder[resource] : team.sourceOrder['default'];
  return [...(requested ?? []), ...(own ?? [])];
}
