import { AppError } from '@pulsewire/kernel';
import type { Connector, OAuthApplication } from '@pulsewire/providers';
import type { Executor } from '@pulsewire/database';
import type { CustodyContext } from './context.ts';
import { findTeamApplication } from './teams/oauth-credentials.ts';

export interface ChosenApplication {
  readonly application: OAuthApplication;
  readonly owner: 'team' | 'platform';
  /** The team's own address that forwards to our callback, or null. */
  readonly redirectUrlOverride: string | null;
}

/** The application for a new link: the team's own before the platform's. Throws AppError `provider_not_configured`. */
export async function chooseApplication(
  executor: Executor,
  context: CustodyContext,
  teamId: string,
  provider: string,
): Promise<ChosenApplication> {
  const own = await findTeamApplication(executor, context.cipher, teamId, provider);
  if (own) return { application: own, owner: 'team', redirectUrlOverride: own.redirectUrlOverride };
  const platform = context.platformApplication(provider);
  if (platform) return { application: platform, owner: 'platform', redirectUrlOverride: null };
  throw new AppError({
    code: 'provider_not_configured',
    kind: 'invalid',
    message: 'No OAuth application is configured for this provider',
    details: { provider },
  });
}

/** The application that a connection's tokens belong to: no other one can refresh or revoke them. Throws AppError `provider_not_configured`. */
export async function applicationOf(
  executor: Executor,
  context: CustodyContext,
  connection: { readonly teamId: string; readonly provider: string; readonly application: 'team' | 'platform' },
): Promise<OAuthApplication> {
  const { teamId, provider } = connection;
  const found =
    connection.application === 'team'
      ? await findTeamApplication(executor, context.cipher, teamId, provider)
      : context.platformApplication(provider);
  if (found) return found;
  throw new AppError({
    code: 'provider_not_configured',
    kind: 'invalid',
    message: 'The OAuth application of this connection is not configured any more',
    details: { provider },
  });
}

/** The connector of a stored slug. Throws AppError `provider_unknown` for one that is not registered in this process. */
export function connectorOf(context: CustodyContext, provider: string): Connector {
  const connector = context.connectorFor(provider);
  if (!connector)
    throw new AppError({
      code: 'provider_unknown',
      kind: 'invalid',
      message: 'No connector is registered for this provider',
      details: { provider },
    });
  return connector;
}
