import { AppError } from '@pulsewire/kernel';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createOutageGate } from './outage-gate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refused = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

it('reports the begin and the end of an outage of the database, and counts the lines between', () => {
  const lines: unknown[] = [];
  const passes = createOutageGate((level, fields, event) => lines.push([level, event, fields]));
  expect(passes({ error: refused() }, 'request.failed')).toBe(false);
  for (let i = 0; i < 500; i++) expect(passes({ errorCode: 'CONNECTION_CLOSED' }, 'worker.retries')).toBe(false);
  expect(passes({ errorCode: '57P01' }, 'pull.failed')).toBe(false);
  expect(lines).toEqual([['warn', 'database.unavailable', { errorCode: 'ECONNREFUSED', reportedBy: 'request.failed' }]]);
  vi.advanceTimersByTime(11_000);
  expect(lines.slice(1)).toEqual([['info', 'database.available', expect.objectContaining({ suppressedLines: 502 })]]);
});

it('writes lines about everything else, also during an outage', () => {
  const passes = createOutageGate(() => {});
  passes({ error: refused() }, 'request.failed');
  expect(passes({ userId: 'u' }, 'request.done')).toBe(true);
  expect(passes({ errorCode: 'ECONNREFUSED' }, 'webhook.attempt_failed')).toBe(true);
  expect(
    passes({ error: new AppError({ code: 'provider_transient', kind: 'upstream', message: 'x', retryable: true }) }, 'pull.failed'),
  ).toBe(true);
  expect(passes({ errorCode: 'CONNECTION_DESTROYED' }, 'process.start_waits')).toBe(true);
});
