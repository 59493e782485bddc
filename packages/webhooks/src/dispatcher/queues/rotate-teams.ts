import type { Endpoint } from '../../routing/route.ts';

/**
 * Orders endpoints by the first of each team, then the second of each, and so on, so that a team with a thousand endpoints does not delay a
 * team with one.
 */
export function rotateTeams(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const places = new Map<string, number>();
  const rounds: Endpoint[][] = [];
  for (const endpoint of endpoints) {
    const place = places.get(endpoint.teamId) ?? 0;
    places.set(endpoint.teamId, place + 1);
    (rounds[place] ??= []).push(endpoint);
  }
  return rounds.flat();
}
