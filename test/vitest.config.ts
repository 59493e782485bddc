import path from 'node:path';
import { defineConfig } from 'vitest/config';

const root = path.join(import.meta.dirname, '..');
const kafkaTests = ['test/integration/kafka/**/*.test.ts', 'test/integration/kafka-client/**/*.test.ts', 'test/pipeline/**/*.test.ts'];

export default defineConfig({
  root,
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    pool: 'forks',
    projects: [
      // Beside the code, and in need of nothing.
      {
        test: {
          name: 'unit',
          root,
          include: ['packages/*/src/**/*.test.ts', 'packages/runtime/bootstrap/**/*.test.ts', 'services/*/src/**/*.test.ts'],
        },
      },
      { test: { name: 'architecture', root, include: ['test/architecture/**/*.test.ts'] } },
      // Real Postgres: one server for all of them, a database for each file.
      {
        test: {
          name: 'system',
          root,
          include: ['test/**/*.test.ts'],
          exclude: ['test/architecture/**', ...kafkaTests, '**/node_modules/**'],
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
      // A real broker and registry beside Postgres, found by the ladder of test/support/kafka; skipped where there are none.
      {
        test: {
          name: 'kafka',
          root,
          include: kafkaTests,
          globalSetup: ['test/support/global-setup.ts', 'test/support/kafka-global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
