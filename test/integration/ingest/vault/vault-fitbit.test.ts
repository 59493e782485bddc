import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '@pulsewire/kernel';
import { createFitbit } from '@pulsewire/providers';
import { runAdmin } from '../../../../services/standalone/src/admin/run-admin.ts';
import { useDatabase } from '../../../support/database.ts';
import { createFitbitHarness, type FitbitHarness } from '../support/fitbit-harness.ts';
import { mended, newLines, recordsOf, renormaliseWith, vaultText } from '../support/vault-harness.ts';
import { eventsOf } from '../support/harness.ts';

const database = useDatabase();
let harness: FitbitHarness;
beforeAll(async () => {
  harness = await createFitbitHarness(database.current);
}, 60_000);
afterAll(() => harness.close());

const responded = () => JSON.stringify(harness.simulator.statistics().requests);

test('mapping a recorded history again makes no call and changes only what the mapper changed', async () => {
  const [ada] = harness.simulator.accounts;
  const { userId } = await harness.link(ada?.name ?? '');
  await harness.drainAll();
  const connector = createFitbit(harness.simulator.endpoints);
  const [before, requests] = [await recordsOf(database.current, userId), responded()];
  const events = (await eventsOf(database.current, userId)).length;
  expect(before.length).toBeGreaterThan(10_000);

  const same = await renormaliseWith(database.current, connector, {}, harness.cipher);
  expect(same).toMatchObject({ created: 0, updated: 0, streams: 0, events: 0, notInVault: 0, failed: new Map() });
  expect(same.responses).toBeGreaterThan(100);
  expect(await recordsOf(database.current, userId)).toEqual(before);

  const heavier = mended(connector, (record) =>
    record.kind === 'samples' && record.resource === 'weight'
      ? { ...record, samples: record.samples.map((sample) => ({ ...sample, value: (sample.value ?? 0) + 1 })) }
      : record,
  );
  const changed = await renormaliseWith(database.current, heavier, {}, harness.cipher);
  const weights = before.filter((line) => line.startsWith('weight '));
  expect(weights.length).toBeGreaterThan(0);
  expect(changed).toMatchObject({ created: 0, updated: weights.length, notInVault: 0 });
  const written = newLines(before, await recordsOf(database.current, userId));
  expect(written).toHaveLength(weights.length);
  expect(written.every((line) => line.startsWith('weight '))).toBe(true);
  const news = (await eventsOf(database.current, userId)).slice(events);
  expect(news).toHaveLength(changed.events);
  expect(new Set(news.map((event) => event.event_type))).toEqual(new Set(['daily.data.weight.updated']));
  expect(responded()).toBe(requests);
}, 240_000);

test('stores no part of a token in the vault', async () => {
  const text = await vaultText(database.current, harness.cipher);
  expect(text).toContain('activities-steps');
  const tokens = await harness.tokens();
  expect(tokens.length).toBeGreaterThan(1);
  for (const token of tokens) {
    expect(token.length).toBeGreaterThan(10);
    expect(text.includes(token)).toBe(false);
  }
  expect(text).not.toMatch(/authorization|bearer|set-cookie/i);
});

async function admin(...words: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const lines: string[] = [];
  const code = await runAdmin(words, {
    database: database.current,
    cipher: harness.cipher,
    clock: systemClock,
    kafka: {} as never,
    print: (line) => void lines.push(line),
    secret: () => '',
  });
  return { code, text: lines.join('\n') };
}

test('the vault can be measured by the operator, and renormalised with the registered connector', async () => {
  const { text } = await admin('vault', 'show');
  expect(text).toMatch(/^fitbit {2}\d+ windows and pushes, \d+ responses {2}[\d.]+ MB in [\d.]+ MB/);
  expect((await admin('vault', 'show', '00000000-0000-4000-8000-000000000000')).text).toBe('Nothing is stored.');
  const days = ['--from', '2026-03-01', '--to', '2026-03-20'];
  // The weights are still those of the modified mapper of the first test.
  const dry = await admin('vault', 'renormalise', 'fitbit', ...days, '--resources', 'weight', '--dry-run');
  expect(dry.code).toBe(0);
  expect(dry.text).toMatch(
    /[1-9]\d* changes would be made \(0 created, [1-9]\d* updated, 0 streams\), 0 taken back, [1-9]\d* events would go out/,
  );
  const real = await admin('vault', 'renormalise', 'fitbit', ...days, '--resources', 'weight');
  expect(real.text).toBe(dry.text.replace(' would be made', '').replace(' would go out', ''));
  expect((await admin('vault', 'renormalise', 'fitbit', ...days)).text).toContain('0 changes (');
  for (const wrong of [
    ['fitbit'],
    ['nobody', ...days],
    ['fitbit', ...days, '--resources', 'glucosamine'],
    ['fitbit', '--from', 'May', '--to', '2026-03-01'],
  ])
    expect((await admin('vault', 'renormalise', ...wrong)).code).toBe(1);
}, 60_000);
