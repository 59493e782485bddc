import type { Benchmark } from '../report.ts';
import { backlogBenchmark } from './backlog.ts';
import { costBenchmark } from './cost.ts';
import { cpuBenchmark } from './cpu.ts';
import { failingBenchmark } from './failing.ts';
import { fanOutBenchmark } from './fan-out.ts';
import { isolationBenchmark } from './isolation.ts';
import { latencyBenchmark } from './latency.ts';
import { rateBenchmark } from './rate.ts';
import { waitingBenchmark } from './waiting.ts';

/** The delivery benchmarks, in reading order. */
export const deliveryBenchmarks: readonly Benchmark[] = [
  rateBenchmark,
  costBenchmark,
  fanOutBenchmark,
  isolationBenchmark,
  waitingBenchmark,
  failingBenchmark,
  latencyBenchmark,
  cpuBenchmark,
  backlogBenchmark,
];
