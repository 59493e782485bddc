import { applicationOf, getAccessToken, type CustodyContext } from '@pulsewire/connections';
import { createProviderSend, type OAuthApplication, type ProviderHttpOptions, type ProviderSend } from '@pulsewire/providers';
import { drawVersion } from '@pulsewire/store';
import type { IngestContext } from '../context/context.ts';

/** Access to providers for pulls: tokens from custody, HTTP as the connection, a version drawn with each response. */
export function createProviderAccess(
  custody: CustodyContext,
  http: ProviderHttpOptions['http'],
): Pick<IngestContext, 'accessTokenFor' | 'sendFor'> {
  const { database, clock } = custody;
  return {
    accessTokenFor: (connectionId, rejected) =>
      getAccessToken(custody, connectionId, rejected ? { rejectedVersion: rejected.version } : {}),
    sendFor({ connection, connector, accessToken, signal, onQuota }) {
      const { account } = connection;
      const { endpoints } = connector;
      const options = {
        http,
        endpoints,
        accessToken,
        account,
        clock,
        connector,
        drawVersion: () => drawVersion(database),
        signal,
        onQuota,
      };
      const sendAs = (application: OAuthApplication | null) => createProviderSend({ ...options, application });
      if (connector.authorizesWithApplication !== true) return sendAs(null);
      let pending: Promise<ProviderSend> | undefined;
      return async (...call) => {
        pending ??= applicationOf(database, custody, connection).then(sendAs);
        return (await pending)(...call);
      };
    },
  };
}
