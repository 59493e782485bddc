import { expect, it } from 'vitest';
import { looksPersonal } from './personal-reference.ts';

it.each([
  'ann@example.com',
  'user ann@example.co.uk',
  '+1 415 555 0100',
  '+14155550100',
  '(415) 555-0100',
  '415-555-0100',
  '089 123 45678',
])('recognises a reference that is an e-mail address or a telephone number: %s', (reference) =>
  expect(looksPersonal(reference)).toBe(true),
);

it.each([
  'alice',
  '14155550100',
  '2026-11-28',
  '7',
  'a@b',
  '0190a6c4-5b1e-7000-8000-0123456789ab',
  'tenant-12/user-345',
  '2026-11-28-0001-22-333',
])('does not mistake an ordinary reference for personal data: %s', (reference) => expect(looksPersonal(reference)).toBe(false));
