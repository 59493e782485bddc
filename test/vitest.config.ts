import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './support/longest-first.ts';
import { memoryFolder } from './support/memory-folder.ts';

const root = path.join(import.meta.dirname, '..');
// The workers inherit it, and with it the location of temporary folders.
const folder = process.env['TMPDIR'] ?? memoryFolder();
if (folder !== undefined) process.env['TMPDIR'] = folder;
// Delivery is tested from both logs; with LOG=kafka, all system tests read only Kafka.
const deliveryTests = ['delivery', 'crashes', 'order'].map((name) => `test/integration/dispatcher/${name}.test.ts`);
const isAllOnKafka = process.env['LOG'] === 'kafka';
const kafkaTests = ['test/integration/kafka/**/*.test.ts', 'test/integration/kafka-client/**/*.test.ts', 'test/pipeline/**/*.test.ts'];

const patchedTests = ['packages/kafka/src/client/**/*.test.ts'];

// Three brokers, a registry, Postgres and five processes at a time: more than two cores can run beside other tests.
const heavyTests = ['test/fault/kafka/faults.test.ts'];
const onKafka = ['test/support/global-setup.ts', 'test/support/kafka-global-setup.ts'];
// Fails a file in which a transaction takes locks against the order.
const checkLocks = ['test/support/locks/setup.ts'];
// Only `.ci/run` sets it: a developer should see an intermittent failure.
const retry = Number(process.env['TEST_RETRIES'] ?? 0);
const longTimeouts = { testTimeout: 60_000, hookTimeout: 200_000 };

export default defineConfig({
  root,
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A poll is ended by the test's own limit, not by this one.
    expect: { poll: { timeout: 15_000 } },
    // Half of the time of the files is spent waiting for processes that start, die and restart.
    maxWorkers: Math.min(8, availableParallelism() * 2),
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    projects: [
      // Needs no server. The files of a worker share its modules: loading them again for each file took most of the time.
      {
        test: {
          name: 'unit',
          root,
          isolate: false,
          include: ['packages/*/src/**/*.test.ts', 'packages/runtime/{bootstrap,tools}/**/*.test.ts', 'services/*/src/**/*.test.ts'],
          exclude: patchedTests,
        },
      },
      // What kafkajs does with and without our patches, which stay for the life of a process.
      { test: { name: 'patches', root, include: patchedTests } },
      { test: { name: 'architecture', root, isolate: false, include: ['test/architecture/**/*.test.ts'] } },
      // Real Postgres: one server for all of them, a database for each file.
      {
        test: {
          name: 'system',
          root,
          isolate: false,
          retry,
          include: ['test/**/*.test.ts'],
          setupFiles: checkLocks,
          exclude: ['test/architecture/**', ...kafkaTests, ...(isAllOnKafka ? [] : heavyTests), '**/node_modules/**'],
          globalSetup: isAllOnKafka ? onKafka : ['test/support/global-setup.ts'],
          provide: { log: isAllOnKafka ? 'kafka' : 'postgres' },
          ...(isAllOnKafka ? longTimeouts : {}),
        },
      },
      // A real broker and registry beside Postgres, found by test/support/kafka; skipped when there are none.
      {
        test: {
          name: 'kafka',
          root,
          isolate: false,
          retry,
          include: [...kafkaTests, ...(isAllOnKafka ? [] : deliveryTests)],
          setupFiles: checkLocks,
          globalSetup: onKafka,
          provide: { log: 'kafka' },
          ...longTimeouts,
        },
      },
    ],
  },
});
