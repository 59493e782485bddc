import { expect, test } from 'vitest';
import { instantText } from './instant-text.ts';

test.each([
  ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
  ['0026-01-28 20:29:48.5+00', '0026-01-28T20:29:48.500Z'],
  ['0099-12-31 23:59:59+05:30', '0099-12-31T18:29:59.000Z'],
  ['0001-01-01 00:00:00+00 BC', '0000-01-01T00:00:00.000Z'],
  ['0002-01-01 00:00:00+00 BC', '-000001-01-01T00:00:00.000Z'],
  ['10000-01-01 00:00:00+00', '+010000-01-01T00:00:00.000Z'],
])('reads %s of Postgres as the same instant', (text, iso) => {
  expect(new Date(instantText(text)).toISOString()).toBe(iso);
});

test('leaves usual instants and infinity as they are', () => {
  for (const text of ['2026-01-28 20:29:48.123456+00', '0100-01-01 00:00:00+00', 'infinity', '-infinity'])
    expect(instantText(text)).toBe(text);
});
