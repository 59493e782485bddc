import type { PullConnection } from '@pulsewire/connections';
import type { Connector, PullLane, PullSpec } from '@pulsewire/providers';
import { lastRank, type RankedPull } from '../window/add-windows.ts';

/** Whether this pull applies to a lane. */
export function runsIn(pull: PullSpec, lane: PullLane): boolean {
  return pull.lanes?.includes(lane) ?? true;
}

/** The pulls for which the user has granted everything that they need. */
export function pullsOf(connector: Connector, connection: Pick<PullConnection, 'grantedScopes'>): readonly RankedPull[] {
  const granted = new Set(connection.grantedScopes);
  return connector.pulls
    .map((pull, place) => ({ ...pull, rank: pull.runsLast === true ? lastRank + place : place }))
    .filter((pull) => pull.requiredScopes.every((scope) => granted.has(scope)));
}
