import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { systemClock } from '@pulsewire/kernel';
import { isSigned } from './webhook-signature.ts';

const key = Buffer.alloc(32, 7);
const secret = `whsec_${key.toString('base64')}`;
const body = Buffer.from('{"notices":[]}');
const nowSeconds = Math.floor(systemClock.now().getTime() / 1000);

function signed({ id = 'msg_1', at = nowSeconds, by = key, bytes = body } = {}) {
  const signature = createHmac('sha256', by).update(`${id}.${at}.`).update(bytes).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
}

it('accepts a webhook that one of several secrets has signed, with the prefix of the secret or without', () => {
  const headers = signed();
  expect(isSigned({ headers, body }, secret)).toBe(true);
  expect(isSigned({ headers, body }, key.toString('base64'))).toBe(true);
  const several = `v1,AAAA v1a,x ${headers['webhook-signature']}`;
  expect(isSigned({ headers: { ...headers, 'webhook-signature': several }, body }, secret)).toBe(true);
});

it.each([
  ['another body', signed({ bytes: Buffer.from('{}') })],
  ['another secret', signed({ by: Buffer.alloc(32, 8) })],
  ['another id', { ...signed(), 'webhook-id': 'msg_2' }],
  ['a time six minutes ago', signed({ at: nowSeconds - 360 })],
  ['a time in six minutes', signed({ at: nowSeconds + 360 })],
  ['a time that is no number', { ...signed(), 'webhook-timestamp': 'now' }],
  ['another version of signatures', { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1,', 'v2,') }],
  ['an empty signature', { ...signed(), 'webhook-signature': 'v1,' }],
  ['two signature headers', { ...signed(), 'webhook-signature': [signed()['webhook-signature']] }],
  ['no headers', {}],
])('refuses a webhook with %s', (_, headers) => {
  expect(isSigned({ headers, body }, secret)).toBe(false);
});
