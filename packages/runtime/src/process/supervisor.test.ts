import { createManualClock, noMetrics, silentLogger, waitUntilAborted } from '@pulsewire/kernel';
import { expect, it } from 'vitest';
import { supervise, type Worker } from './supervisor.ts';

function start(workers: readonly Worker[], onFatal: (name: string) => void = () => {}) {
  const clock = createManualClock(new Date(0));
  return supervise({ workers, logger: silentLogger, metrics: noMetrics, clock, onFatal, restartDelayMs: 1, restartDelayMaxMs: 4 });
}

it('stops workers in reverse order, each only after the previous one has drained', async () => {
  const steps: string[] = [];
  const worker = (name: string): Worker => ({
    name,
    async run(signal) {
      await waitUntilAborted(signal);
      steps.push(`${name} stops`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} has drained`);
    },
  });
  await start([worker('log'), worker('http')]).stop();
  expect(steps).toEqual(['http stops', 'http has drained', 'log stops', 'log has drained']);
});

it('restarts a failed worker, and counts the restart', async () => {
  let runs = 0;
  const recovered = Promise.withResolvers<void>();
  const supervisor = start([
    {
      name: 'relay',
      async run(signal) {
        runs += 1;
        if (runs < 3) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
        recovered.resolve();
        await waitUntilAborted(signal);
      },
    },
  ]);
  await recovered.promise;
  expect(supervisor.health()).toEqual([{ name: 'relay', state: 'running', restarts: 2, lastError: 'ECONNRESET' }]);
  await supervisor.stop();
  expect(supervisor.health()[0]?.state).toBe('stopped');
});

it('treats a worker that ends without a request to stop as failed', async () => {
  const fatal = Promise.withResolvers<string>();
  const supervisor = start([{ name: 'relay', onFailure: 'exit', run: async () => {} }], fatal.resolve);
  expect(await fatal.promise).toBe('relay');
  expect(supervisor.health()[0]?.state).toBe('failed');
  await supervisor.stop();
});

it('does not wait for the end of a restart delay on a request to stop', async () => {
  const failed = Promise.withResolvers<void>();
  const supervisor = supervise({
    workers: [{ name: 'relay', run: () => Promise.reject(new Error('always')) }],
    logger: silentLogger,
    metrics: { ...noMetrics, count: () => failed.resolve() },
    clock: createManualClock(new Date(0)),
    onFatal() {},
    restartDelayMs: 3_600_000,
    restartDelayMaxMs: 3_600_000,
  });
  await failed.promise;
  await supervisor.stop();
  expect(supervisor.health()[0]).toMatchObject({ state: 'stopped', restarts: 1 });
});
