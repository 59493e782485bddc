import type { Endpoint, TeamRoutes } from './route.ts';
import type { ChangedEndpoint, TeamSwitches } from './load-routing.ts';

/**
 * Enabled endpoints, by their ids and by team, and the users of whom nothing is sent. Changed in place, so that the cost of a change does
 * not depend on the size of the table.
 */
export class RoutingTable {
  readonly #teams = new Map<string, TeamRoutes>();
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #hiddenUsers = new Set<string>();

  get teams(): ReadonlyMap<string, TeamRoutes> {
    return this.#teams;
  }

  get endpoints(): ReadonlyMap<string, Endpoint> {
    return this.#endpoints;
  }

  /** Whether the user was deleted: until that is undone, nothing about the user is sent. */
  isHidden(userId: string | null): boolean {
    return userId !== null && this.#hiddenUsers.has(userId);
  }

  /** Erased users stay in the set until the process ends; they have no events left to send. */
  applyUsers(changes: ReadonlyMap<string, boolean>): void {
    for (const [userId, isHidden] of changes) {
      if (isHidden) this.#hiddenUsers.add(userId);
      else this.#hiddenUsers.delete(userId);
    }
  }

  apply(changes: readonly ChangedEndpoint[]): void {
    const byTeam = new Map<string, { readonly team: TeamSwitches; readonly changed: Map<string, Endpoint | null> }>();
    for (const { endpointId, endpoint, team } of changes) {
      if (endpoint === null) this.#endpoints.delete(endpointId);
      else this.#endpoints.set(endpointId, endpoint);
      const of = byTeam.get(team.teamId) ?? { team, changed: new Map<string, Endpoint | null>() };
      of.changed.set(endpointId, endpoint);
      byTeam.set(team.teamId, of);
    }
    for (const { team, changed } of byTeam.values()) {
      const before = this.#teams.get(team.teamId)?.endpoints ?? [];
      const kept = before.map((one) => (changed.has(one.endpointId) ? (changed.get(one.endpointId) ?? null) : one));
      for (const { endpointId } of before) changed.delete(endpointId);
      this.#put(
        team,
        [...kept, ...changed.values()].filter((one) => one !== null),
      );
    }
  }

  /** Teams' switches were changed. */
  applyTeams(teams: readonly TeamSwitches[]): void {
    for (const team of teams) this.#put(team, this.#teams.get(team.teamId)?.endpoints ?? []);
  }

  /** Endpoints were removed; only these remain. */
  keepOnly(endpointIds: ReadonlySet<string>): void {
    for (const endpointId of this.#endpoints.keys()) if (!endpointIds.has(endpointId)) this.#endpoints.delete(endpointId);
    for (const team of this.#teams.values())
      if (team.endpoints.some((one) => !endpointIds.has(one.endpointId)))
        this.#put(
          team,
          team.endpoints.filter((one) => endpointIds.has(one.endpointId)),
        );
  }

  #put({ teamId, pushesHistoricalData, contractDate }: TeamSwitches, endpoints: readonly Endpoint[]): void {
    if (endpoints.length === 0) this.#teams.delete(teamId);
    else this.#teams.set(teamId, { teamId, pushesHistoricalData, contractDate, endpoints });
  }
}
