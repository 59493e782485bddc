import { describe, expect, test } from 'vitest';
import { AppError } from '@pulsewire/kernel';
import { providerError } from '@pulsewire/providers';
import { defaultSettings } from '../context/context.ts';
import { judgeFailure, pauseMs } from './judge-failure.ts';

const judge = (error: unknown, attempts = 1, isStopping = false, mayBeOutage = false, isShutDown = false) =>
  judgeFailure(defaultSettings, { error, attempts, isStopping, mayBeOutage, isShutDown, random: () => 0.5 });

describe('judgeFailure', () => {
  test('waits twice as long after each failure, up to an hour, and gives up at the last attempt', () => {
    const delays = [1, 2, 3, 7].map((attempts) => {
      const verdict = judge(providerError('provider_transient', {}), attempts);
      return verdict.kind === 'retry' ? verdict.delayMs : verdict.kind;
    });
    expect(delays).toEqual([30_000, 60_000, 120_000, 1_920_000]);
    expect(judge(new Error('what is this'), 8)).toEqual({ kind: 'give_up', errorCode: 'unknown' });
  });

  test('waits for two weeks, an hour at a time, while the provider may be failing as a whole', () => {
    const transient = providerError('provider_transient', {});
    expect(judge(transient, 8, false, true)).toEqual({ kind: 'retry', errorCode: 'provider_transient', delayMs: 3_600_000 });
    expect(judge(transient, 343, false, true)).toMatchObject({ kind: 'retry', delayMs: 3_600_000 });
    expect(judge(transient, 344, false, true)).toEqual({ kind: 'give_up', errorCode: 'provider_transient' });
    expect(judge(new Error('what is this'), 8, false, true)).toEqual({ kind: 'give_up', errorCode: 'unknown' });
  });

  test('never retries before the time that the provider stated, and never counts a rate limit', () => {
    expect(judge(providerError('provider_transient', {}, 600_000))).toMatchObject({ kind: 'retry', delayMs: 600_000 });
    expect(judge(providerError('provider_rate_limited', {}, 90_000), 99)).toEqual({
      kind: 'pause',
      errorCode: 'provider_rate_limited',
      delayMs: 90_000,
    });
  });

  test('distinguishes permanent from transient failures', () => {
    expect(judge(providerError('provider_permanent', {}))).toEqual({ kind: 'give_up', errorCode: 'provider_permanent' });
    expect(judge(providerError('provider_scope_missing', {}))).toEqual({ kind: 'give_up', errorCode: 'provider_scope_missing' });
    expect(judge(providerError('provider_consent_revoked', {}))).toEqual({ kind: 'revoked' });
    expect(judge(providerError('provider_account_state', {}))).toMatchObject({ kind: 'retry', delayMs: 6 * 3_600_000 });
  });

  test('retries a fault of the operator after one to six hours, for months where no poll reads it again', () => {
    const fault = providerError('provider_configuration', { reason: 'service_disabled' });
    expect(judge(fault)).toEqual({ kind: 'retry', errorCode: 'provider_configuration', delayMs: 3_600_000 });
    expect(judge(fault, 7)).toMatchObject({ kind: 'retry', delayMs: 6 * 3_600_000 });
    expect(judge(fault, 8)).toEqual({ kind: 'give_up', errorCode: 'provider_configuration' });
    expect(judge(fault, 343, false, true)).toMatchObject({ kind: 'retry', delayMs: 6 * 3_600_000 });
  });

  test('asks again after an hour whether the provider has shut down, and gives up one address', () => {
    const gone = providerError('provider_discontinued', { status: 410 });
    expect(judge(gone)).toEqual({ kind: 'retry', errorCode: 'provider_discontinued', delayMs: 3_600_000 });
    expect(judge(gone, 2, false, false, true)).toEqual({ kind: 'discontinued' });
    expect(judge(gone, 8)).toEqual({ kind: 'give_up', errorCode: 'provider_discontinued' });
  });

  test('counts no attempt for a shutdown, and leaves a window that another worker has', () => {
    expect(judge(new Error('aborted'), 99, true)).toEqual({ kind: 'hand_back' });
    expect(judge(new AppError({ code: 'window_lost', kind: 'conflict', message: '' }), 1, true)).toEqual({ kind: 'lost' });
  });
});

test('bounds a pause, however long the provider requests', () => {
  expect(pauseMs(providerError('provider_rate_limited', {}))).toBe(60_000);
  expect(pauseMs(providerError('provider_rate_limited', {}, 1))).toBe(1000);
  expect(pauseMs(providerError('provider_rate_limited', {}, 10 * 86_400_000))).toBe(86_400_000);
});
