import path from 'node:path';
import { defineConfig } from 'vitest/config';

const root = path.join(import.meta.dirname, '..');
// The heart of delivery, once more from Kafka. With LOG=kafka all of it, and from Kafka alone.
const deliveryTests = ['delivery', 'crashes', 'order'].map((name) => `test/integration/dispatcher/${name}.test.ts`);
const isAllOnKafka = process.env['LOG'] === 'kafka';
const kafkaTests = ['test/integration/kafka/**/*.test.ts', 'test/integration/kafka-client/**/*.test.ts', 'test/pipeline/**/*.test.ts'];

const patchedTests = ['packages/kafka/src/client/**/*.test.ts'];

// Three brokers, a registry, Postgres and five processes at a time: more than two cores can do beside everything else.
const heavyTests = ['test/fault/kafka-faults.test.ts'];
const onKafka = ['test/support/global-setup.ts', 'test/support/kafka-global-setup.ts'];
// Set by `.ci/run` alone: whoever works here is to see a test that fails now and then.
const retry = Number(process.env['TEST_RETRIES'] ?? 0);
const patience = { testTimeout: 60_000, hookTimeout: 200_000 };

export default defineConfig({
  root,
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is polled for comes when it comes; the test's own limit ends it.
    expect: { poll: { timeout: 15_000 } },
    // Much of it waits for processes that start, die and come back: one more than a small machine has cores.
    maxWorkers: 3,
    pool: 'forks',
    projects: [
      // Beside the code, and in need of nothing. The files of a worker share its modules: loading them anew for each file took most of the time.
      {
        test: {
          name: 'unit',
          root,
          isolate: false,
          include: ['packages/*/src/**/*.test.ts', 'packages/runtime/bootstrap/**/*.test.ts', 'services/*/src/**/*.test.ts'],
          exclude: patchedTests,
        },
      },
      // What kafkajs does with and without our patches, which stay for the life of a process.
      { test: { name: 'patches', root, include: patchedTests } },
      { test: { name: 'architecture', root, include: ['test/architecture/**/*.test.ts'] } },
      // Real Postgres: one server for all of them, a database for each file.
      {
        test: {
          name: 'system',
          root,
          isolate: false,
          retry,
          include: ['test/**/*.test.ts'],
          exclude: ['test/architecture/**', ...kafkaTests, ...(isAllOnKafka ? [] : heavyTests), '**/node_modules/**'],
          globalSetup: isAllOnKafka ? onKafka : ['test/support/global-setup.ts'],
          provide: { log: isAllOnKafka ? 'kafka' : 'postgres' },
          ...(isAllOnKafka ? patience : {}),
        },
      },
      // A real broker and registry beside Postgres, found by the ladder of test/support/kafka; skipped where there are none.
      {
        test: {
          name: 'kafka',
          root,
          retry,
          include: [...kafkaTests, ...(isAllOnKafka ? [] : deliveryTests)],
          globalSetup: onKafka,
          provide: { log: 'kafka' },
          ...patience,
        },
      },
    ],
  },
});
