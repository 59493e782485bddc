import { expect, test } from 'vitest';
import { buildEnvelopeJson } from './envelope.ts';

const team = '019b8f00-0000-7000-8000-0000000000aa';
const user = '019b8f00-0000-7000-8000-000000000001';

test('builds a body of exactly five keys, with the data text unchanged', () => {
  const dataJson = '{"value":  1.50}';
  const body = buildEnvelopeJson({
    eventType: 'daily.data.steps.created',
    dataJson,
    teamId: team,
    userId: user,
    clientUserId: 'a "quoted"\nid',
  });
  expect(body).toContain(dataJson);
  expect(JSON.parse(body)).toEqual({
    event_type: 'daily.data.steps.created',
    data: { value: 1.5 },
    team_id: team,
    user_id: user,
    client_user_id: 'a "quoted"\nid',
  });
});

test('builds a body of three keys for an event without a user', () => {
  const body = buildEnvelopeJson({ eventType: 'endpoint.failing', dataJson: '{}', teamId: team, userId: null, clientUserId: null });
  expect(JSON.parse(body)).toEqual({ event_type: 'endpoint.failing', data: {}, team_id: team });
});

test('renders the reference of a user always as a string', () => {
  const body = buildEnvelopeJson({ eventType: 'x', dataJson: '{}', teamId: team, userId: user, clientUserId: null });
  expect(JSON.parse(body)).toMatchObject({ client_user_id: '' });
});
