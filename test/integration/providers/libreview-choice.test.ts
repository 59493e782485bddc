import { randomBytes } from 'node:crypto';
import { createManualClock, noMetrics, silentLogger } from '@pulsewire/kernel';
import { createApiKey, createTeam, readProviderSettings } from '@pulsewire/connections';
import { createCipher, parseCipherKeys } from '@pulsewire/database';
import { findConnector, withEndpoints, type Connector } from '@pulsewire/providers';
import { simulators, type ProviderSimulator } from '@pulsewire/sandbox';
import { compose as composeApi } from '@pulsewire/service-api';
import { compose as composeIngest } from '@pulsewire/service-ingest';
import { expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { apiConfig } from '../api/support/harness.ts';

const database = useDatabase();
const [connector, entry] = [findConnector('abbott_libreview'), simulators.find(({ slug }) => slug === 'abbott_libreview')];
if (!connector || !entry) throw new Error('LibreLinkUp is not registered');

/** The API and ingest as composed in production, with LibreLinkUp enabled at the simulator. */
async function openServices(registered: Connector, simulator: ProviderSimulator, clock: ReturnType<typeof createManualClock>) {
  const placed = withEndpoints(registered.configure?.(simulator.settings) ?? registered, simulator.endpoints);
  const providers = readProviderSettings([placed], { provider_abbott_libreview_enabled: true });
  const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
  const common = { databaseUrl: database.current.url, encryptionKeys };
  const parts = { logger: silentLogger, metrics: noMetrics, clock, providers };
  const cipher = createCipher(parseCipherKeys(encryptionKeys));
  const api = await composeApi({ ...apiConfig, ...common }, { ...parts, database: database.current, cipher });
  const ingest = await composeIngest({ ...common, concurrency: 2, windowDeadlineMs: 20_000, databaseConnectionsMax: 4 }, parts);
  const team = await createTeam(database.current, clock, { name: 'Clinic', isSandbox: false });
  const { key } = await createApiKey(database.current, clock, { team, label: 'test' });
  async function call(method: 'GET' | 'POST', url: string, body?: object, token?: string): Promise<ReturnType<JSON['parse']>> {
    const headers = { 'x-service-api-key': key, ...(token && { 'x-service-link-token': token }) };
    const json = { 'content-type': 'application/json' };
    const reply = await api.app.inject({
      method,
      url,
      headers: { ...headers, ...(body && json) },
      ...(body && { payload: JSON.stringify(body) }),
    });
    return JSON.parse(reply.payload);
  }
  return { call, drain: () => ingest.drain(), close: () => Promise.all([ingest.close(), api.close()]) };
}

it('offers the people whom an account follows over the API, and reads the chosen one', { timeout: 60_000 }, async () => {
  const clock = createManualClock(new Date('2026-03-12T11:00:00Z'));
  const simulator = await entry.start({ clock, seed: 'choice', pushRetryMs: 1, applications: [] });
  const services = await openServices(connector, simulator, clock);
  const { call } = services;
  const account = simulator.addAccount({ name: 'Twice Asked', timeZone: 'Europe/Berlin', historyDays: 2 });
  const { username, password, region } = account.credentials;
  const { user_id: userId } = await call('POST', '/v2/user', { client_user_id: 'twice', fallback_time_zone: 'Europe/Berlin' });
  const { link_token: token } = await call('POST', '/v2/link/token', { user_id: userId });

  const path = '/v2/link/provider/password/abbott_libreview';
  const offer = await call('POST', path, { username, password, ...(region && { region }) }, token);
  expect(offer).toMatchObject({ state: 'pending_provider_mfa', connected: false, provider_mfa: { method: 'choice' } });
  const { choices } = offer.provider_mfa as { choices: { value: string; label: string }[] };
  expect(choices).toHaveLength(2);
  expect(await call('POST', `${path}/complete_mfa`, { mfa_code: 'nobody' }, token)).toMatchObject({ error_type: 'incorrect_mfa_code' });
  expect((await call('GET', `/v2/user/providers/${userId}`)).providers).toEqual([]);
  const chosen = choices[1]?.value ?? '';
  expect(await call('POST', `${path}/complete_mfa`, { mfa_code: chosen }, token)).toMatchObject({ state: 'success', connected: true });
  expect((await call('GET', `/v2/user/providers/${userId}`)).providers).toMatchObject([{ slug: 'abbott_libreview', status: 'connected' }]);

  await services.drain();
  const read = await call('GET', `/v2/timeseries/${userId}/glucose?start_date=2026-03-10&end_date=2026-03-13`);
  const samples = read as { timestamp: string; value: number }[];
  expect(samples.length).toBeGreaterThan(20);
  // The second person's readings are 30 mg/dL higher; times are those of the phone's clock.
  const { truth } = account;
  const own = new Map(
    truth
      ?.days('2026-03-10', '2026-03-12')
      .flatMap((day) => day.glucose.map(({ ms, value }) => [truth.zone.localText(ms).slice(0, 16), value] as const)),
  );
  for (const { timestamp, value } of samples) expect(value * 18.016 - (own.get(timestamp.slice(0, 16)) ?? 0)).toBeCloseTo(30, 0);
  await services.close();
  await simulator.close();
});
