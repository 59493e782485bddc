import { getAccessToken, type CustodyContext } from '@pulsewire/connections';
import { createProviderSend, type ProviderHttpOptions } from '@pulsewire/providers';
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
    sendFor: ({ connection, connector, accessToken, signal, onQuota }) =>
      createProviderSend({
        http,
        endpoints: connector.endpoints,
        accessToken,
        account: connection.account,
        clock,
        connector,
        drawVersion: () => drawVersion(database),
        signal,
        onQuota,
      }),
  };
}
