import { printLines, type Benchmark } from './report.ts';
import { deliveryKafkaBenchmark } from './delivery-kafka.ts';
import { deliveryBenchmark } from './delivery.ts';
import { kafkaProducerBenchmark } from './kafka-producer.ts';
import { relayBenchmark } from './relay.ts';
import { storeBenchmark } from './store.ts';

const benchmarks: readonly Benchmark[] = [
  storeBenchmark,
  deliveryBenchmark,
  kafkaProducerBenchmark,
  relayBenchmark,
  deliveryKafkaBenchmark,
];

const args = process.argv.slice(2);
const isQuick = args.includes('--quick');
const names = args.filter((arg) => !arg.startsWith('--'));

for (const benchmark of benchmarks) {
  if (names.length > 0 && !names.includes(benchmark.name)) continue;
  console.log(`${benchmark.name}${isQuick ? ' (quick: a look, not for the record)' : ''}`);
  printLines(await benchmark.run({ isQuick }));
}
