import { parseArgs } from 'node:util';
import { printLines, type Benchmark } from './report.ts';
import { auditBenchmark } from './reads/audit.ts';
import { bulkImportBenchmark } from './ingest/bulk-import.ts';
import { deliveryKafkaBenchmark } from './kafka/delivery.ts';
import { deliveryBenchmarks } from './delivery/index.ts';
import { findMissingBenchmark } from './store/find-missing.ts';
import { kafkaProducerBenchmark } from './kafka/producer.ts';
import { largePushBenchmark } from './ingest/large-push.ts';
import { oldSnapshotBenchmark } from './store/old-snapshot.ts';
import { streamBenchmark } from './reads/stream.ts';
import { quotaBenchmark } from './quota/quota.ts';
import { rateLimitBenchmark } from './reads/rate-limit.ts';
import { relayBenchmark } from './kafka/relay.ts';
import { storeBenchmark } from './store/store.ts';

const benchmarks: readonly Benchmark[] = [
  storeBenchmark,
  findMissingBenchmark,
  streamBenchmark,
  auditBenchmark,
  rateLimitBenchmark,
  bulkImportBenchmark,
  largePushBenchmark,
  quotaBenchmark,
  oldSnapshotBenchmark,
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
  },
});
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
        ...(values.minutes !== undefined && { minutes: Number(values.minutes) }),
        ...(values.sink !== undefined && { sink: values.sink }),
      }),
    );
  } catch (error) {
    // The others are worth their time all the same.
    console.error(`  ${benchmark.name} failed:`, error);
    process.exitCode = 1;
  }
  console.log(`  took ${((performance.now() - startMs) / 1000).toFixed(0)} s`);
}
