import { expect, onTestFinished, test } from 'vitest';
import { noMetrics, silentLogger, systemClock } from '@pulsewire/kernel';
import { createApiKey, findTeam, readProviderSettings } from '@pulsewire/connections';
import { approveAuthorization } from '@pulsewire/sandbox';
import { compose as composeApi } from '@pulsewire/service-api';
import { compose as composeIngest } from '@pulsewire/service-ingest';
import { useDatabase } from '../../../support/database.ts';
import { apiConfig } from '../../api/support/harness.ts';
import { useHarness } from '../../dispatcher/harness.ts';
import { connectors } from './all.ts';
import { pebbleSimulator } from './pebble/simulator.ts';

const database = useDatabase();
const createHarness = useHarness(database);

test('a provider added as one folder and one line is listed, linked, backfilled, and its events delivered', async () => {
  const application = { clientId: 'pebble-client', clientSecret: 'pebble-client-secret' };
  const encryptionKeys = `1:${Buffer.alloc(32, 7).toString('base64')}`;
  const parts = { logger: silentLogger, metrics: noMetrics };
  // The API picks its port when it listens, but the provider must know the redirect URI before that.
  const redirectUris: string[] = [];
  const simulator = await pebbleSimulator.start({ applications: [{ ...application, redirectUris }] });
  onTestFinished(() => simulator.close());
  const account = simulator.addAccount({ name: 'Olga', timeZone: 'UTC' });
  const providers = readProviderSettings(connectors, {
    provider_pebble_clientId: application.clientId,
    provider_pebble_clientSecret: application.clientSecret,
    ...Object.fromEntries(Object.entries(simulator.endpoints).map(([name, url]) => [`provider_pebble_${name}`, url])),
  });

  const api = await composeApi({ ...apiConfig, baseUrl: undefined, encryptionKeys, databaseUrl: database.url }, { ...parts, providers });
  onTestFinished(() => api.close());
  const { url } = await api.listen();
  redirectUris.push(`${url}/v2/link/connect/pebble`);
  const ingest = await composeIngest(
    { databaseUrl: database.url, encryptionKeys, concurrency: 2, windowDeadlineMs: 20_000, databaseConnectionsMax: 4 },
    { ...parts, providers },
  );
  onTestFinished(() => ingest.close());
  const harness = await createHarness();
  const { receiver } = await harness.endpoint();
  harness.start();

  const team = await findTeam(database.current, harness.teamId);
  if (!team) throw new Error('No team');
  const { key } = await createApiKey(database.current, systemClock, { team, label: 'test' });
  const call = async <T>(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<T> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-service-api-key': key, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect({ path, ok: response.ok }).toEqual({ path, ok: true });
    return (await response.json()) as T;
  };

  const catalogue = await call<{ slug: string }[]>('GET', '/v2/providers');
  expect(catalogue.find(({ slug }) => slug === 'pebble')).toMatchObject({
    name: 'Pebble',
    auth_type: 'oauth',
    supported_resources: ['steps'],
  });

  const { user_id: userId } = await call<{ user_id: string }>('POST', '/v2/user', { client_user_id: 'olga' });
  const { link_token: token } = await call<{ link_token: string }>('POST', '/v2/link/token', { user_id: userId });
  const start = await call<{ oauth_url: string }>('GET', '/v2/link/provider/oauth/pebble', undefined, { 'x-service-link-token': token });
  const back = await fetch(await approveAuthorization(start.oauth_url, { account: account.name }), { redirect: 'manual' });
  expect(back.status).toBeLessThan(400);

  await ingest.drain();
  const stored = await database.current.sql<{ value: number }[]>`
    SELECT value FROM all_samples JOIN sources USING (user_source_id) WHERE user_id = ${userId} ORDER BY ts`;
  const today = account.truth?.today() ?? '';
  const first = new Date(Date.parse(today) - 21 * 86_400_000).toISOString().slice(0, 10);
  // In the first minutes of a day that day has no data yet.
  const expected = account.truth?.days(first, today).map(({ steps }) => steps) ?? [];
  expect(expected.length).toBeGreaterThanOrEqual(21);
  expect(stored.map(({ value }) => value)).toEqual(expected);

  const typesDelivered = () => receiver.received.map(({ body }) => (JSON.parse(body) as { event_type: string }).event_type);
  const wanted = ['provider.connection.created', 'daily.data.steps.created', 'historical.data.steps.created'];
  await receiver.untilTrue(() => wanted.every((type) => typesDelivered().includes(type)));
  expect(typesDelivered().filter((type) => type === 'historical.data.steps.created')).toHaveLength(1);
}, 60_000);
