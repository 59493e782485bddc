import { connectionsConfig, databaseConfig, encryptionConfig } from '@pulsewire/database';
import { defineConfig } from '@pulsewire/runtime';
import { Type } from 'typebox';

/** Settings of the process that parses lab reports. */
export const reportParserConfig = defineConfig({
  ...databaseConfig,
  ...connectionsConfig({ minimum: 2, default: 4 }),
  ...encryptionConfig,
  concurrency: {
    env: 'REPORT_PARSER_CONCURRENCY',
    schema: Type.Integer({ minimum: 1, maximum: 16, default: 1 }),
    description:
      'Reports parsed at the same time. Each takes REPORT_PARSER_OCR_THREADS cores and up to REPORT_PARSER_MEMORY_MAX_MIB of memory.',
  },
  deadlineMs: {
    env: 'REPORT_PARSER_DEADLINE_MS',
    schema: Type.Integer({ minimum: 1000, maximum: 600_000, default: 30_000 }),
    unit: 'ms',
    description: 'Time that parsing a report may take, without the time for its scanned pages.',
  },
  scanDeadlineMs: {
    env: 'REPORT_PARSER_SCAN_DEADLINE_MS',
    schema: Type.Integer({ minimum: 1000, maximum: 120_000, default: 20_000 }),
    unit: 'ms',
    description:
      'Additional time for each scanned page, which takes 3 to 10 seconds. A report has at most 30 pages, so by default none takes longer than 10 and a half minutes.',
  },
  ocrThreads: {
    env: 'REPORT_PARSER_OCR_THREADS',
    schema: Type.Integer({ minimum: 1, maximum: 8, default: 2 }),
    description: 'Threads that recognise the text of scans, for each report. Each needs about 100 MiB of REPORT_PARSER_MEMORY_MAX_MIB.',
  },
  memoryMaxMib: {
    env: 'REPORT_PARSER_MEMORY_MAX_MIB',
    schema: Type.Integer({ minimum: 256, maximum: 8192, default: 1024 }),
    description: 'Memory of a process that parses a report, in MiB. A report that needs more fails.',
  },
});
