import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { classifyDexcom } from './connector.ts';
import { createContext } from './dexcom.ts';
import { mapGlucose, parseShareDate } from './map-glucose.ts';
import { silentLosses } from '../kit/testing/silent-losses.ts';
import { unsoundRecords } from '../kit/testing/sound-records.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '3f0c1de5-0000-4000-8000-000000000001',
  grantedScopes: [],
  account: { region: 'us' },
});
const window = { startDate: '2026-03-12', endDate: '2026-03-12' };
const fileUrl = (name: string) => new URL(`fixtures/${name}`, import.meta.url);

it('maps the golden file: every time format, mg/dL to mmol/L, and only days of the window', async () => {
  const mapped = mapGlucose(JSON.parse(await readFile(fileUrl('glucose.json'), 'utf8')), window, context);
  expect(unsoundRecords(mapped.records)).toEqual([]);
  await expect(`${JSON.stringify(mapped, null, 2)}\n`).toMatchFileSnapshot(fileUrl('glucose.expected.json').pathname);
});

it('loses no record to an item that it cannot read without setting something aside', async () => {
  const body: unknown = JSON.parse(await readFile(fileUrl('glucose.json'), 'utf8'));
  expect(silentLosses((changed) => mapGlucose(changed, window, context), body)).toEqual([]);
});

it.each([undefined, null, 7, 'text', [], {}, [null]])('produces no record from %j and does not throw', (body) => {
  expect(mapGlucose(body, window, context).records).toEqual([]);
});

it('rejects any other text as a time', () => {
  expect(['Date()', 'Date(1e3)', 'Date(1-9999)', 'Date(1', '1773331200000'].map(parseShareDate)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});

it('classifies an expired session as an expired token although the status is 500', () => {
  const codeOf = (Code: string) => classifyDexcom({ status: 500, headers: {}, body: { Code, Message: '' } }).code;
  expect(['SessionIdNotFound', 'SessionNotValid', 'InvalidArgument', 'Whatever'].map(codeOf)).toEqual([
    'provider_token_expired',
    'provider_token_expired',
    'provider_permanent',
    'provider_transient',
  ]);
});
