import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError, systemClock } from '@pulsewire/kernel';
import type { ProviderSettings } from '@pulsewire/connections';
import { createIngest } from '@pulsewire/ingest';
import { providerError } from '@pulsewire/providers';
import { runAdmin } from '../../../services/standalone/src/admin/run-admin.ts';
import { useDatabase } from '../../support/database.ts';
import { useHarness, type Harness as Delivery } from '../dispatcher/harness.ts';
import { cipher, createHarness, type Harness } from './support/harness.ts';

const file = useDatabase();
const newDelivery = useHarness(file);
let delivery: Delivery;
let harness: Harness;

beforeEach(async () => {
  delivery = await newDelivery();
  harness = await createHarness(file.current);
});
afterEach(() => harness.close());

async function admin(words: readonly string[], keys: Pick<Parameters<typeof runAdmin>[1], 'cipher'> = { cipher }) {
  const lines: string[] = [];
  const code = await runAdmin(words, {
    database: file.current,
    ...keys,
    clock: systemClock,
    kafka: {} as never,
    providers: { connectorFor: harness.plan.connectorFor } as ProviderSettings,
    print: (line) => void lines.push(line),
    secret: () => '',
  });
  return { code, text: lines.join('\n') };
}

const explain = async (userId: string, resource: string, day: string) => {
  const { code, text } = await admin(['explain', userId, resource, day]);
  expect(code).toBe(0);
  return text;
};
/** The lines of a section. */
const section = (text: string, title: string) =>
  text
    .split(`${title}:`)[1]
    ?.split(/\n(?! )/)[0]
    ?.trim() ?? '';
const link = (scopes = ['move']) => harness.link({ teamId: delivery.teamId, scopes });
const drain = () => createIngest(harness.options).drain();

describe('npm run admin -- explain', () => {
  it('traces a day from the request through the winning response to the result at every endpoint', async () => {
    const works = await delivery.endpoint();
    const fails = await delivery.endpoint({ filterTypes: ['daily.data.steps.updated'] });
    fails.receiver.respond = (_request, response) => void response.writeHead(500).end();
    const elsewhere = await delivery.endpoint({ filterTypes: ['daily.data.sleep.created'] });
    const { userId } = await link();
    await drain();
    harness.wristband.setValue('moves', '2026-03-19', 4321);
    harness.clock.advance(86_400_000);
    await harness.planDuePulls();
    await drain();
    delivery.start();
    await delivery.caughtUp();
    await expect
      .poll(async () => (await file.current.sql`SELECT 1 FROM webhook_attempts WHERE endpoint_id = ${fails.endpointId}`).length)
      .toBe(1);

    const text = await explain(userId, 'steps', '2026-03-19');
    expect(section(text, 'Connections')).toMatch(
      /^wristband .* connected since .*\n.*steps is available; required scopes granted: move; denied: none/,
    );
    const requested = section(text, 'Requested').split('\n');
    expect(requested).toEqual([
      expect.stringMatching(/backfill moves .* was read .* requested 2026-03-20T09:00:00.000Z, started .*, ended .* received \d+ samples/),
      expect.stringMatching(/live moves .* was read .* requested 2026-03-21T09:00:00.000Z/),
    ]);
    const calls = section(text, 'Provider responses').split('\n');
    expect(calls.filter((line) => line.includes('/moves/2026-03-19  200, '))).toHaveLength(2);
    const version = /version (\d+)$/.exec(calls.findLast((line) => line.includes('/moves/2026-03-19')) ?? '')?.[1];
    expect(section(text, 'Stored')).toBe(
      `wristband watch  3 samples from 2026-03-19T00:00:00.000Z to 2026-03-19T02:00:00.000Z  version ${version} (received 2026-03-21T09:00:00.000Z)`,
    );
    const events = section(text, 'Events');
    const updated = events.slice(events.indexOf('daily.data.steps.updated'));
    expect(updated).toMatch(/^[^\n]*, live {2}3 samples of the day/);
    expect(updated).toMatch(new RegExp(`${works.endpointId} .* attempt 1 succeeded  204`));
    expect(updated).toMatch(new RegExp(`${fails.endpointId} .* attempt 1 failed  500`));
    expect(updated).toMatch(new RegExp(`${fails.endpointId}  next attempt 20`));
    expect(updated).toContain(`${elsewhere.endpointId}  not sent: the endpoint does not subscribe to this type`);
    expect(events.indexOf('daily.data.steps.created')).toBeLessThan(events.indexOf('daily.data.steps.updated'));
    expect(text).not.toContain('Nothing is stored');
    expect(text).not.toContain('4321');
  });

  it('lists quarantined values with the reason and their place in the response', async () => {
    harness.wristband.setValue('moves', '2026-03-15', -1);
    const { userId } = await link();
    await drain();
    const text = await explain(userId, 'steps', '2026-03-15');
    expect(section(text, 'Set aside')).toMatch(/^steps {2}bad_number at \/2026-03-15 {2}seen 1 times/);
    expect(text).toContain('Nothing is stored. What the provider sent could not be mapped, and was set aside.');
    expect(section(await explain(userId, 'distance', '2026-03-15'), 'Set aside')).toBe('nothing');
  });

  it('names the scope that was denied', async () => {
    const { userId, connectionId } = await link();
    await file.current.sql`UPDATE connections SET denied_scopes = '{scale}' WHERE connection_id = ${connectionId}`;
    await drain();
    const text = await explain(userId, 'weight', '2026-03-15');
    expect(section(text, 'Connections')).toContain('weight is unavailable; required scopes granted: none; denied: scale');
    expect(text).toContain('Requested: never');
    expect(text).toContain('Nothing is stored. The user did not grant wristband the scope scale.');
  });

  it('names the failure of a day that was given up, and the windows still waiting', async () => {
    const waiting = await link();
    expect(await explain(waiting.userId, 'steps', '2026-03-15')).toContain('Nothing is stored. The day is still being read.');
    harness.wristband.onCall = () => {
      throw providerError('provider_permanent', { status: 403 });
    };
    await drain();
    const text = await explain(waiting.userId, 'steps', '2026-03-15');
    expect(section(text, 'Requested')).toMatch(/was given up, provider_permanent/);
    expect(text).toContain('Nothing is stored. The provider could not be read: provider_permanent.');
  });

  it('blames the operator, not the user, when the provider refuses the application', async () => {
    const { userId, connectionId } = await link();
    harness.wristband.onCall = () => {
      throw providerError('provider_configuration', { status: 403, reason: 'service_disabled' });
    };
    await drain();
    const text = await explain(userId, 'steps', '2026-03-15');
    expect(section(text, 'Connections')).toContain(`${connectionId}  connected since`);
    expect(section(text, 'Requested')).toMatch(/failed and is retried, provider_configuration/);
    expect(text).toContain("The provider refuses the operator's application; the user has done nothing wrong.");
  });

  it('reports a day never requested, a user without connections, and ingestion bounds', async () => {
    const { userId } = await link();
    await drain();
    expect(await explain(userId, 'steps', '2020-01-01')).toContain('Nothing is stored. The day was never requested.');
    expect(await explain(userId, 'sleep', '2026-03-15')).toContain('None of the connected providers supplies this resource.');
    await file.current.sql`UPDATE users SET ingestion_start = '2026-03-01' WHERE user_id = ${userId}`;
    expect(await explain(userId, 'steps', '2020-01-01')).toContain("The day is before the user's ingestion_start, 2026-03-01.");
    await file.current.sql`DELETE FROM connections WHERE user_id = ${userId}`;
    await file.current.sql`UPDATE users SET ingestion_start = NULL WHERE user_id = ${userId}`;
    expect(await explain(userId, 'steps', '2020-01-01')).toContain('The user has no connection.');
  });

  it('works without the encryption keys, except for the responses', async () => {
    const { userId } = await link();
    await drain();
    const refuse = () => {
      throw new AppError({ code: 'encryption_keys_not_set', kind: 'invalid', message: 'No keys' });
    };
    const { code, text } = await admin(['explain', userId, 'steps', '2026-03-19'], { cipher: { ...cipher, openBytes: refuse } });
    expect(code).toBe(0);
    expect(section(text, 'Provider responses')).toContain('kept, but cannot be opened (encryption_keys_not_set)');
    expect(section(text, 'Stored')).toContain('3 samples');
  });

  it('rejects an unknown user, and reports all wrong arguments at once', async () => {
    const wrong = await admin(['explain', 'me', 'naps', 'Tuesday']);
    expect(wrong.code).toBe(1);
    for (const name of ['<user_id>', '<resource>', '<day>']) expect(wrong.text).toContain(name);
    expect((await admin(['explain', randomUUID(), 'sleep', '2026-03-15'])).code).toBe(1);
  });
});
