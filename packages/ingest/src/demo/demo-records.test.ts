import { expect, test } from 'vitest';
import { findIdentity, summaryId } from '@pulsewire/providers';
import { demoRecords } from './demo-records.ts';

test('a demo of a glucose reader has only a month of glucose, in floating time', () => {
  const person = { userId: '0e9f1c52-0000-4000-8000-000000000001', provider: 'freestyle_libre', resources: new Set(['glucose']) };
  const records = demoRecords(person, new Date('2026-10-23T04:07:00Z'), new Date('2026-11-22T04:07:00Z'));
  const samples = records.flatMap((record) => (record.kind === 'samples' && record.resource === 'glucose' ? record.samples : []));
  expect(records).toHaveLength(1);
  expect(samples).toHaveLength(30 * 96);
  expect(samples.filter(({ value, timezoneOffset }) => timezoneOffset !== null || value === null || value < 3 || value > 12)).toEqual([]);
});

test.each([
  ['apple_health_kit', ['app', 'watch']],
  ['oura', ['app', 'ring']],
  ['fitbit', ['app', 'scale', 'watch']],
])('a demo of %s covers the resources of the provider with its device types', (provider, types) => {
  const resources = new Set(Object.keys(findIdentity(provider)?.resources ?? {}));
  const person = { userId: '0e9f1c52-0000-4000-8000-000000000001', provider, resources };
  const records = demoRecords(person, new Date('2026-10-23T04:07:00Z'), new Date('2026-11-22T04:07:00Z'));
  const found = records.flatMap((record) => (record.kind === 'summary' ? [record] : []));
  expect([...new Set(found.map(({ source }) => source.type))].toSorted()).toEqual(types);
  const made = [...new Set(found.map(({ resource }) => resource))].toSorted();
  expect(made).toEqual(['activity', 'body', 'profile', 'sleep', 'workouts']);
  // Providers that only have demo data declare exactly the generated resources.
  if (provider === 'apple_health_kit') expect([...resources].toSorted()).toEqual(made);
});

const demoed = ['apple_health_kit', 'fitbit', 'freestyle_libre', 'oura'];
const demoOf = (provider: string) =>
  demoRecords(
    { userId: '0e9f1c52-0000-4000-8000-000000000001', provider, resources: new Set(Object.keys(findIdentity(provider)?.resources ?? {})) },
    new Date('2026-10-23T04:07:00Z'),
    new Date('2026-11-22T04:07:00Z'),
  );

test('the lowest heart rate of a generated night is below its average', () => {
  const nights = demoed
    .flatMap(demoOf)
    .flatMap((record) => (record.kind === 'summary' && record.resource === 'sleep' ? [record.data] : []));
  expect(nights.length).toBeGreaterThan(80);
  expect(nights.filter((night) => Number(night['hr_lowest']) >= Number(night['hr_average']))).toEqual([]);
});

test.each(['fitbit', 'oura'])('a demo of %s shares no id with the data of a real connection for the same days', (provider) => {
  const userId = '0e9f1c52-0000-4000-8000-000000000001';
  const made = new Set(demoOf(provider).flatMap((record) => (record.kind === 'summary' ? [record.id] : [])));
  const real = ['watch', 'ring', 'app', 'scale'].flatMap((sourceType) =>
    ['activity', 'sleep', 'profile'].flatMap((resource) =>
      ['2026-11-20', '2026-11-21', 'profile'].map((externalId) => summaryId({ userId, provider, sourceType, resource, externalId })),
    ),
  );
  expect(real.filter((id) => made.has(id))).toEqual([]);
});

test('readings of a demo glucose reader have another source type than real ones', () => {
  const types = demoOf('freestyle_libre').flatMap((record) => (record.kind === 'samples' ? [record.source.type] : []));
  expect(types).toEqual(['unknown']);
});
