import { databaseConfig, encryptionConfig } from '@pulsewire/database';
import { defineConfig } from '@pulsewire/runtime';
import { Type } from 'typebox';

/** Settings of the process that parses lab reports. */
export const reportParserConfig = defineConfig({
  ...databaseConfig,
  ...encryptionConfig,
  concurrency: {
    env: 'REPORT_PARSER_CONCURRENCY',
    schema: Type.Integer({ minimum: 1, maximum: 16, default: 1 }),
    description: 'Reports parsed at the same time. Each takes a core and up to REPORT_PARSER_MEMORY_MAX_MIB of memory.',
  },
  deadlineMs: {
    env: 'REPORT_PARSER_DEADLINE_MS',
    schema: Type.Integer({ minimum: 1000, maximum: 150_000, default: 120_000 }),
    unit: 'ms',
    description: 'Time that parsing a report may take; a scanned page takes 5 to 10 seconds.',
  },
  memoryMaxMib: {
    env: 'REPORT_PARSER_MEMORY_MAX_MIB',
    schema: Type.Integer({ minimum: 256, maximum: 8192, default: 1024 }),
    description: 'Memory of a process that parses a report, in MiB. A report that needs more fails.',
  },
});
