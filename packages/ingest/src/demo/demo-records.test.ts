import { expect, test } from 'vitest';
import { findIdentity } from '@pulsewire/providers';
import { demoRecords } from './demo-records.ts';

test('a demo of a glucose reader has a month of glucose in floating time, and nothing else', () => {
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
])('a demo of %s is measured with what the provider knows', (provider, types) => {
  const resources = new Set(Object.keys(findIdentity(provider)?.resources ?? {}));
  const person = { userId: '0e9f1c52-0000-4000-8000-000000000001', provider, resources };
  const records = demoRecords(person, new Date('2026-10-23T04:07:00Z'), new Date('2026-11-22T04:07:00Z'));
  const found = records.flatMap((record) => (record.kind === 'summary' ? [record] : []));
  expect([...new Set(found.map(({ source }) => source.type))].toSorted()).toEqual(types);
  const made = [...new Set(found.map(({ resource }) => resource))].toSorted();
  expect(made).toEqual(['activity', 'body', 'profile', 'sleep', 'workouts']);
  // Where nothing but the demo brings data, nothing else is promised.
  if (provider === 'apple_health_kit') expect([...resources].toSorted()).toEqual(made);
});
