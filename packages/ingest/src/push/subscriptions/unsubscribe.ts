import type { Deregistration } from '@pulsewire/connections';
import type { Connector, ProviderHttp } from '@pulsewire/providers';
import { subscriptionIdOf } from './subscribe.ts';

export interface UnsubscribeContext {
  connectorFor(slug: string): Connector | undefined;
  httpFor(request: {
    readonly connector: Connector;
    readonly accessToken: string;
    readonly account: Readonly<Record<string, unknown>>;
    readonly signal: AbortSignal;
  }): ProviderHttp;
}

/** Deletes the subscriptions of a removed connection at its provider; a `ProviderCleanup` for `processDeregistrations`. */
export async function unsubscribe(
  context: UnsubscribeContext,
  gone: Deregistration,
  accessToken: string,
  signal: AbortSignal,
): Promise<void> {
  const connector = context.connectorFor(gone.provider);
  if (!connector?.push?.unsubscribe) return;
  const user = {
    userId: gone.userId,
    fallbackTimeZone: null,
    providerUserId: gone.providerUserId ?? '',
    grantedScopes: gone.grantedScopes,
    account: gone.account,
  };
  const http = context.httpFor({ connector, accessToken, account: gone.account, signal });
  await connector.push.unsubscribe({ http, user, subscriptionId: subscriptionIdOf(gone.connectionId) });
}
