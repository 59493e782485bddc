import { expect, it } from 'vitest';
import { loadConfig, processConfig } from '@pulsewire/runtime';
import { attemptGraceMs } from './attempt-grace.ts';
import { dispatcherConfig } from './config.ts';

const defaults = loadConfig({ timeoutMs: dispatcherConfig.timeoutMs, shutdownGraceMs: processConfig.shutdownGraceMs }, {});

it('lets attempts in progress reach their own deadline with the default settings', () => {
  expect(attemptGraceMs(defaults)).toBe(defaults.timeoutMs);
});

it('ends attempts in progress before the process is killed', () => {
  expect(attemptGraceMs({ ...defaults, shutdownGraceMs: 12_000 })).toBe(7000);
  expect(attemptGraceMs({ ...defaults, shutdownGraceMs: 100 })).toBe(0);
});
