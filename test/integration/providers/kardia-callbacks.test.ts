import { createManualClock, noMetrics } from '@pulsewire/kernel';
import { readProviderSettings } from '@pulsewire/connections';
import { createCipher, parseCipherKeys } from '@pulsewire/database';
import { pushSegmentOf } from '@pulsewire/ingest';
import { findConnector } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { openIngestPorts } from '@pulsewire/service-api';
import { afterEach, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { createConformanceHarness, verificationCode, type ConformanceHarness, type Linked } from './conformance/harness.ts';
import { createRecordingLogger } from './conformance/recording-logger.ts';
import { summariesOf } from './conformance/stored.ts';

const database = useDatabase();
const [connector, entry] = [findConnector('kardia'), simulators.find(({ slug }) => slug === 'kardia')];
if (!connector || !entry) throw new Error('Kardia is not registered');
let harness: ConformanceHarness | undefined;
afterEach(() => harness?.close());

const timeout = 60_000;
const recordingsOf = async ({ userId }: Linked) =>
  (await summariesOf(database.current, userId)).filter(({ resource }) => resource === 'electrocardiogram').length;

async function linkPatient(name: string) {
  harness = await createConformanceHarness(database.current, connector ?? expect.fail(), entry ?? expect.fail());
  const { simulator, clock, drainAll } = harness;
  const account = simulator.addAccount({ name, timeZone: 'Europe/Berlin', historyDays: 10, backlogMinutes: 12 * 60 });
  const linked = await harness.link(account);
  await drainAll();
  const record = async () => {
    clock.advance(6 * 3_600_000);
    account.makeNewData();
    await simulator.pushes?.settled();
  };
  return { harness, account, linked, record };
}

const subscriptionOf = async ({ connectionId }: Linked) =>
  (await database.current.sql`SELECT subscription FROM pull_plans WHERE connection_id = ${connectionId}`)[0]?.['subscription'];

// The simulator names people called Chart by their clinic's own number.
it.each(['Ada Lovelace', 'Chart Ada'])(
  'reads a new recording after a callback that names %s, without a poll',
  { timeout },
  async (name) => {
    const { harness: own, linked, record } = await linkPatient(name);
    expect(await subscriptionOf(linked)).toBe('active');
    const before = await recordingsOf(linked);
    expect(before).toBeGreaterThan(0);
    await record();
    await own.drainAll();
    expect(await recordingsOf(linked)).toBeGreaterThan(before);
  },
);

it('reads the patients of a clinic again after a callback that names none of them', { timeout }, async () => {
  const { harness: own, linked, record } = await linkPatient('Bob');
  const stranger = await own.link(own.simulator.addAccount({ name: 'Cleo', timeZone: 'UTC', historyDays: 5 }));
  await record();
  await own.drainAll();
  const factsOf = async ({ connectionId }: Linked) => {
    const [row] = await database.current.sql<{ patient: string; clinic: string }[]>`
      SELECT provider_user_id AS patient, account ->> 'clinic' AS clinic FROM connections WHERE connection_id = ${connectionId}`;
    return row ?? expect.fail('not linked');
  };
  const [patient, other] = [await factsOf(linked), await factsOf(stranger)];
  const readsOf = ({ patient: id }: { readonly patient: string }) =>
    own.simulator.requests.filter(({ path }) => path.endsWith(`/patients/${id}/recordings`)).length;
  const url = new URL(own.simulator.pushes?.log[0]?.url ?? expect.fail('no callback'));
  url.searchParams.set('clinic', patient.clinic);
  const [own0, other0] = [readsOf(patient), readsOf(other)];
  expect((await fetch(url, { method: 'POST', body: JSON.stringify({ eventType: 'newRecording' }) })).status).toBe(200);
  await own.drainAll();
  expect(readsOf(patient)).toBeGreaterThan(own0);
  expect(readsOf(other)).toBe(other0);
});

it('is accepted by the API at its unguessable address, although the provider has no application', { timeout }, async () => {
  const settings = { provider_kardia_enabled: true, provider_kardia_pushVerificationCode: verificationCode };
  const providers = readProviderSettings([connector], settings);
  const cipher = createCipher(parseCipherKeys(`1:${Buffer.alloc(32, 1).toString('base64')}`));
  const clock = createManualClock(new Date('2026-03-12T16:00:00Z'));
  const ports = await openIngestPorts({
    database: database.current,
    cipher,
    clock,
    logger: createRecordingLogger().logger,
    metrics: noMetrics,
    providers,
  });
  try {
    const request = { method: 'POST', headers: {}, query: {}, body: Buffer.from('{"eventType":"newRecording"}') } as never;
    const segment = pushSegmentOf(verificationCode, 'kardia', 'platform');
    expect((await ports.receivePush(connector, request, segment)).status).toBe(200);
    expect((await ports.receivePush(connector, request, 'guessed')).status).toBe(404);
  } finally {
    await ports.close();
  }
});
