import { AppError } from '@pulsewire/kernel';
import { expect, it } from 'vitest';
import { redactFields, redactText } from './redact.ts';

it('hides values under secret names, in any spelling and at any depth', () => {
  const fields = {
    user_id: 'u1',
    request: { headers: { 'x-service-api-key': 'k', Authorization: 'Bearer t' } },
    refresh_token: 't',
    clientSecret: 's',
  };
  expect(redactFields(fields)).toEqual({
    user_id: 'u1',
    request: { headers: { 'x-service-api-key': '[hidden]', Authorization: '[hidden]' } },
    refresh_token: '[hidden]',
    clientSecret: '[hidden]',
  });
});

it('masks credentials and query values in text', () => {
  expect(redactText('GET https://a:b@host/cb?code=abc&state=1#x failed with Bearer ey.J-x')).toBe(
    'GET https://[hidden]@host/cb?code=[hidden]&state=[hidden]#x failed with Bearer [hidden]',
  );
});

it('writes an error as plain data with its code and cause, masked', () => {
  const cause = new Error('postgres://u:p@db refused');
  const error = new AppError({
    code: 'provider_transient',
    kind: 'upstream',
    message: 'No answer',
    details: { token: 't', status: 502 },
    cause,
  });
  expect(redactFields({ error })).toMatchObject({
    error: {
      message: 'No answer',
      errorCode: 'provider_transient',
      details: { token: '[hidden]', status: 502 },
      cause: { message: 'postgres://[hidden]@db refused' },
    },
  });
});

it('survives cycles, buffers and big integers', () => {
  const cycle: Record<string, unknown> = { count: 1n, bytes: Buffer.from('secret') };
  cycle['self'] = cycle;
  expect(JSON.stringify(redactFields(cycle))).toContain('"count":"1","bytes":"[6 bytes]"');
});
