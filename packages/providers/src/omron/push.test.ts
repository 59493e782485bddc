import { expect, it } from 'vitest';
import { omronPush } from './push.ts';

const push = (body: string, type = 'application/json') => ({
  method: 'POST',
  headers: { 'content-type': type },
  query: {},
  body: Buffer.from(body),
});
const window = { startDate: '2024-11-16', endDate: '2024-11-18' };
const changed = (collection: string) => ({ kind: 'changed', providerUserId: 'sub-1', collection, window });

it.each([
  ['a number', '{"id":"sub-1","timestamp":1731866503000,"type":"weight"}', 'application/json'],
  ['a text', '{"id":"sub-1","timestamp":"1731866503000","type":"weight"}', 'application/json'],
  ['an ISO time', '{"id":"sub-1","timestamp":"2024-11-17T18:01:43Z","type":"weight"}', 'application/json'],
  ['a form', 'id=sub-1&timestamp=1731866503000&type=weight', 'application/x-www-form-urlencoded'],
])('a notification with its time as %s names the days around it', (_name, body, type) => {
  expect(omronPush.parse(push(body, type))).toEqual({ notices: [changed('weight')], unreadable: [] });
});

it('a notification without a kind of measurement concerns all of them', () => {
  const { notices } = omronPush.parse(push('{"id":"sub-1","timestamp":1731866503000}'));
  expect(notices).toEqual(['bloodpressure', 'weight', 'activity'].map(changed));
});

it('a notification without a readable time is reported, and the next poll reads what it announced', () => {
  expect(omronPush.parse(push('{"id":"sub-1","timestamp":"soon"}'))).toEqual({
    notices: [],
    unreadable: [{ reason: 'bad_number', pointer: '/timestamp' }],
  });
});
