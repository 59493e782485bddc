import { createCipher } from '@pulsewire/database';
import { compose } from './compose.ts';

const nowhere = () => Promise.reject(new Error('No request is served while the document is being generated'));

/** The OpenAPI document of the registered routes; opens neither a database nor a port. */
export async function describeApi(): Promise<Record<string, unknown>> {
  const config = {
    host: '127.0.0.1',
    port: 0,
    databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
    databaseConnectionsMax: 2,
    baseUrl: undefined,
    linkWebUrl: undefined,
    encryptionKeys: `1:${Buffer.alloc(32).toString('base64')}`,
    linkTokenSecret: 'no token is signed with this secret',
    linkTokenAloneAllowed: false,
    allowedNetworks: [],
    logDays: 30,
    trustedProxies: [],
    sandboxUsersMax: 50,
    rateLimit: 50,
    samplesPerPage: 10_000,
  };
  const ingest = {
    refresh: { plan: nowhere, read: nowhere },
    fillDemo: nowhere,
    onConnected: nowhere,
    onDeregistered: nowhere,
    receivePush: nowhere,
    close: async () => {},
  };
  const api = await compose(config, { ingest, checksDatabase: false, cipher: createCipher(new Map([[1, Buffer.alloc(32)]])) });
  const document = api.document();
  await api.close();
  return document;
}
