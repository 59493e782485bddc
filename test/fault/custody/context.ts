import { noMetrics, silentLogger, systemClock } from '@pulsewire/kernel';
import { createProviderGate, type CustodyContext } from '@pulsewire/connections';
import { createCipher, parseCipherKeys, type Database } from '@pulsewire/database';
import { createHttpClient } from '@pulsewire/outbound';
import { findConnector, withEndpoints, type Connector } from '@pulsewire/providers';

/** Custody as in a service, at a simulated provider; its requests carry the id of the process. */
export function stormContext(database: Database, encryptionKeys: string, providerUrl: string): CustodyContext & { close(): void } {
  const connector = withEndpoints(findConnector('fitbit') as Connector, {
    apiBaseUrl: providerUrl,
    tokenUrl: `${providerUrl}/token`,
    revokeUrl: `${providerUrl}/revoke`,
  });
  const http = createHttpClient({ userAgent: `storm-${process.pid}` });
  return {
    database,
    cipher: createCipher(parseCipherKeys(encryptionKeys)),
    clock: systemClock,
    logger: silentLogger,
    metrics: noMetrics,
    connectorFor: (slug) => (slug === connector.slug ? connector : undefined),
    platformApplication: () => ({ clientId: 'storm', clientSecret: 'storm-secret' }),
    gate: createProviderGate({ http, clock: systemClock }),
    close: () => http.close(),
  };
}
