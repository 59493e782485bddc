import { describe, expect, it } from 'vitest';
import { classifyFitbit, readFitbitQuotas, readFitbitTokenError } from './classify.ts';

const refusal = (errorType: string) => ({ success: false, errors: [{ errorType, message: 'text' }] });

describe('classifyFitbit', () => {
  it.each([
    [401, refusal('expired_token'), 'provider_token_expired'],
    [401, refusal('invalid_token'), 'provider_token_expired'],
    [401, undefined, 'provider_token_expired'],
    [400, refusal('invalid_grant'), 'provider_consent_revoked'],
    [403, refusal('insufficient_scope'), 'provider_scope_missing'],
    [403, refusal('insufficient_permissions'), 'provider_scope_missing'],
    [400, refusal('validation'), 'provider_permanent'],
    [404, refusal('not_found'), 'provider_permanent'],
    [403, '<html>', 'provider_permanent'],
    [400, refusal('system'), 'provider_transient'],
    [502, '<html>', 'provider_transient'],
    [409, refusal('constructor'), 'provider_permanent'],
    [410, refusal('gone'), 'provider_discontinued'],
    [410, undefined, 'provider_discontinued'],
  ])('maps the response %i %j to an error code', (status, body, code) => {
    expect(classifyFitbit({ status, headers: {}, body }).code).toBe(code);
  });

  it('waits for the time in Retry-After, else until the reset', () => {
    const headers = { 'retry-after': '60', 'fitbit-rate-limit-reset': '2216' };
    expect(classifyFitbit({ status: 429, headers, body: undefined })).toEqual({ code: 'provider_rate_limited', retryAfterMs: 60_000 });
    expect(classifyFitbit({ status: 429, headers: { 'fitbit-rate-limit-reset': '2216' }, body: undefined }).retryAfterMs).toBe(2_216_000);
    expect(classifyFitbit({ status: 429, headers: {}, body: undefined })).toEqual({ code: 'provider_rate_limited' });
  });
});

describe('readFitbitTokenError', () => {
  it('recognises the shutdown at the token endpoint, and leaves other refusals to their error type', () => {
    expect(readFitbitTokenError({ status: 410 })).toBe('discontinued');
    expect(readFitbitTokenError({ status: 400 })).toBeNull();
  });
});

describe('readFitbitQuotas', () => {
  it('reads the reset as seconds from now', () => {
    const headers = { 'fitbit-rate-limit-limit': '150', 'fitbit-rate-limit-remaining': '149', 'fitbit-rate-limit-reset': '2216' };
    expect(readFitbitQuotas(headers)).toEqual([{ scope: 'user', perMs: 3_600_000, limit: 150, remaining: 149, resetAfterMs: 2_216_000 }]);
  });

  it('returns none when a header is missing or malformed', () => {
    expect(
      readFitbitQuotas({ 'fitbit-rate-limit-limit': '150', 'fitbit-rate-limit-remaining': '-1', 'fitbit-rate-limit-reset': '5' }),
    ).toEqual([]);
    expect(readFitbitQuotas({})).toEqual([]);
  });
});
