import { AppError } from '@pulsewire/kernel';
import type { OAuthApplication } from '@pulsewire/providers';
import type { Executor } from '@pulsewire/database';
import { findTeamApplication } from '../teams/oauth-credentials.ts';
import type { CustodyContext } from './context.ts';
import { connectorOf } from './find-connector.ts';

export interface ChosenApplication {
  readonly application: OAuthApplication;
  readonly owner: 'team' | 'platform';
  /** The team's own address that forwards to our callback, or null. */
  readonly redirectUrlOverride: string | null;
}

/**
 * The application for a new link (the practice, for links by e-mail): the team's own, else the platform's. Throws AppError
 * `provider_not_configured`.
 */
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

/**
 * The application that a connection's tokens belong to: no other one can refresh or revoke them. Null for providers that are linked without
 * an application. Throws AppErrors `provider_not_configured` and `provider_unknown`.
 */
export async function applicationOf(
  executor: Executor,
  context: CustodyContext,
  connection: { readonly teamId: string; readonly provider: string; readonly application: 'team' | 'platform' },
): Promise<OAuthApplication | null> {
  const { teamId, provider } = connection;
  const { oauth, email } = connectorOf(context, provider);
  if (oauth === null && email === null) return null;
  const found =
    connection.application === 'team'
      ? await findTeamApplication(executor, context.cipher, teamId, provider)
      : context.platformApplication(provider);
  if (found) return found;
  throw new AppError({
    code: 'provider_not_configured',
    kind: 'invalid',
    message: 'The application of this connection is no longer configured',
    details: { provider },
  });
}
