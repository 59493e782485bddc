import { expect, test } from 'vitest';
import { demoRecords } from './demo-records.ts';

test('a demo of a glucose reader has a month of glucose in floating time, and nothing else', () => {
  const person = { userId: '0e9f1c52-0000-4000-8000-000000000001', provider: 'freestyle_libre', resources: new Set(['glucose']) };
  const records = demoRecords(person, new Date('2026-10-23T04:07:00Z'), new Date('2026-11-22T04:07:00Z'));
  const samples = records.flatMap((record) => (record.kind === 'samples' && record.resource === 'glucose' ? record.samples : []));
  expect(records).toHaveLength(1);
  expect(samples).toHaveLength(30 * 96);
  expect(samples.filter(({ value, timezoneOffset }) => timezoneOffset !== null || value === null || value < 3 || value > 12)).toEqual([]);
});
