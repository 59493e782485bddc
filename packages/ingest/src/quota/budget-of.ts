import type { PullConnection } from '@pulsewire/connections';
import type { Connector } from '@pulsewire/providers';
import { ownerOf } from '../model/push-owner.ts';
import type { BudgetKey } from './budget-state.ts';

/** The budget of the application with which this connection was made; null where the provider sets applications no limits. */
export function applicationBudget(
  connector: Pick<Connector, 'slug' | 'quotas'>,
  connection: Pick<PullConnection, 'application' | 'teamId'>,
): BudgetKey | null {
  const rules = connector.quotas.filter((rule) => rule.scope === 'app');
  if (rules.length === 0) return null;
  const owner = ownerOf({ teamId: connection.application === 'team' ? connection.teamId : null });
  return { provider: connector.slug, owner, connectionId: null, rules };
}

/** The budget of the connection's own user; null where the provider sets users no limits. */
export function userBudget(
  connector: Pick<Connector, 'slug' | 'quotas'>,
  { connectionId }: Pick<PullConnection, 'connectionId'>,
): BudgetKey | null {
  const rules = connector.quotas.filter((rule) => rule.scope === 'user');
  return rules.length === 0 ? null : { provider: connector.slug, owner: connectionId, connectionId, rules };
}
