import { parseArgs } from 'node:util';
import { printLines, type Benchmark } from './report.ts';
import { auditBenchmark } from './reads/audit.ts';
import { idleMemoryBenchmark } from './workers/idle-memory.ts';
import { workersBenchmark } from './workers/workers.ts';
import { bulkImportBenchmark } from './ingest/bulk-import.ts';
import { deliveryKafkaBenchmark } from './kafka/delivery.ts';
import { deliveryBenchmarks } from './delivery/index.ts';
import { findMissingBenchmark } from './store/find-missing.ts';
import { kafkaProducerBenchmark } from './kafka/producer.ts';
import { labsBenchmark } from './labs/lab-orders.ts';
import { largePushBenchmark } from './ingest/large-push.ts';
import { monthBenchmark } from './providers/month.ts';
import { oldSnapshotBenchmark } from './store/old-snapshot.ts';
import { streamBenchmark } from './reads/stream.ts';
import { pollBenchmark } from './polls/poll.ts';
import { planningBenchmark } from './polls/planning.ts';
import { phonesBenchmark } from './ingest/phones.ts';
import { quotaBenchmark } from './quota/quota.ts';
import { rateLimitBenchmark } from './reads/rate-limit.ts';
import { relayBenchmark } from './kafka/relay.ts';
import { longReportBenchmark } from './reports/long-report.ts';
import { reportLayoutsBenchmark } from './report-layouts/report-layouts.ts';
import { printedReportsBenchmark } from './reports/printed-reports.ts';
import { reportsBenchmark } from './reports/reports.ts';
import { packedBenchmark } from './store/packed.ts';
import { storeBenchmark } from './store/store.ts';

const benchmarks: readonly Benchmark[] = [
  storeBenchmark,
  packedBenchmark,
  findMissingBenchmark,
  streamBenchmark,
  auditBenchmark,
  rateLimitBenchmark,
  labsBenchmark,
  reportsBenchmark,
  reportLayoutsBenchmark,
  printedReportsBenchmark,
  longReportBenchmark,
  bulkImportBenchmark,
  largePushBenchmark,
  phonesBenchmark,
  pollBenchmark,
  planningBenchmark,
  quotaBenchmark,
  monthBenchmark,
  oldSnapshotBenchmark,
  workersBenchmark,
  idleMemoryBenchmark,
  ...deliveryBenchmarks,
  kafkaProducerBenchmark,
  relayBenchmark,
  deliveryKafkaBenchmark,
];

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    sink: { type: 'string' },
    seed: { type: 'string' },
    from: { type: 'string' },
    users: { type: 'string' },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const seed = values.seed === undefined ? undefined : Number(values.seed);
if (seed !== undefined && !Number.isSafeInteger(seed)) throw new Error('--seed takes a whole number');
const known = new Set(benchmarks.flatMap(({ name, group = name }) => [name, group]));
const unknown = names.filter((name) => !known.has(name));
if (values.list || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no benchmark ${unknown.join(', ')}.`);
  console.log(`One or more of: ${[...known].join(', ')}`);
  process.exit(unknown.length > 0 ? 1 : 0);
}
if (values.sink !== undefined && !URL.canParse(values.sink)) throw new Error('--sink takes the URL of a receiver');

for (const benchmark of benchmarks) {
  if (names.length > 0 && !names.includes(benchmark.name) && !names.includes(benchmark.group ?? benchmark.name)) continue;
  console.log(`${benchmark.name}${values.quick ? ' (quick: a look, not for the record)' : ''}`);
  const startMs = performance.now();
  try {
    printLines(
      await benchmark.run({
        isQuick: values.quick,
        isVerbose: values.verbose,
        ...(values.minutes !== undefined && { minutes: Number(values.minutes) }),
        ...(values.from !== undefined && { from: values.from }),
        ...(values.users !== undefined && { users: Number(values.users) }),
        ...(values.only !== undefined && { only: values.only.split(',') }),
        ...(seed !== undefined && { seed }),
        ...(values.sink !== undefined && { sink: values.sink }),
      }),
    );
  } catch (error) {
    // A failed benchmark must not stop the others.
    console.error(`  ${benchmark.name} failed:`, error);
    process.exitCode = 1;
  }
  console.log(`  took ${((performance.now() - startMs) / 1000).toFixed(0)} s`);
}
