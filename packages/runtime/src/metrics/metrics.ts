import type { Labels, Metrics } from '@pulsewire/kernel';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { createLabelGuard, type LabelGuard } from './label-guard.ts';

/** The kernel's Metrics, with the response of `/metrics`. */
export interface MetricsRegistry extends Metrics {
  /** Prometheus text format. */
  render(): Promise<{ readonly contentType: string; readonly body: string }>;
}

export interface MetricsOptions {
  /** Label `service` of every series. */
  readonly service: string;
  /** Label `worker_number` of every series, for a worker process. */
  readonly workerNumber?: number | undefined;
  /** Also CPU, memory, event loop lag and garbage collection of this process. */
  readonly processMetrics?: boolean;
  /** Called once per metric when a use of it is not counted. */
  readonly onMisuse?: (misuse: { readonly name: string; readonly reason: string }) => void;
}

const latencyBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const byteBuckets = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];
const countBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

function bucketsFor(name: string): number[] {
  if (name.endsWith('_seconds')) return latencyBucketsSeconds;
  return name.endsWith('_bytes') ? byteBuckets : countBuckets;
}

interface Series {
  readonly kind: 'count' | 'observe' | 'gauge';
  readonly guard: LabelGuard;
  write(value: number, labels: Labels): void;
}

function createSeries(kind: Series['kind'], name: string, labels: Labels, registry: Registry): Series {
  const guard = createLabelGuard(Object.keys(labels));
  const options = { name, help: name.replaceAll('_', ' '), labelNames: Object.keys(labels), registers: [registry] };
  if (kind === 'count') {
    const counter = new Counter(options);
    return { kind, guard, write: (value, checked) => counter.inc(checked, value) };
  }
  if (kind === 'gauge') {
    const gauge = new Gauge(options);
    return { kind, guard, write: (value, checked) => gauge.set(checked, value) };
  }
  const histogram = new Histogram({ ...options, buckets: bucketsFor(name) });
  return { kind, guard, write: (value, checked) => histogram.observe(checked, value) };
}

/**
 * Metrics with their own registry. A metric is created on first use, which also fixes its label names;
 * the unit at the end of its name determines its buckets. Invalid uses are reported and ignored, so that metrics never break the measured
 * work.
 */
export function createMetrics({ service, workerNumber, processMetrics = false, onMisuse }: MetricsOptions): MetricsRegistry {
  const registry = new Registry();
  registry.setDefaultLabels({ service, ...(workerNumber !== undefined && { worker_number: String(workerNumber) }) });
  if (processMetrics) collectDefaultMetrics({ register: registry });
  const seriesByName = new Map<string, Series>();
  const misused = new Set<string>();

  const report = (name: string, reason: string) => {
    if (misused.has(name)) return;
    misused.add(name);
    onMisuse?.({ name, reason });
  };

  const write = (kind: Series['kind'], name: string, value: number, labels: Labels) => {
    try {
      let series = seriesByName.get(name);
      if (series === undefined) {
        series = createSeries(kind, name, labels, registry);
        seriesByName.set(name, series);
      }
      if (series.kind !== kind) return report(name, `used as ${series.kind} and as ${kind}`);
      const checked = series.guard.check(labels);
      if (!checked.ok) return report(name, checked.reason);
      if (checked.reason !== undefined) report(name, checked.reason);
      series.write(value, checked.labels);
    } catch (error) {
      report(name, error instanceof Error ? error.message : 'refused by the registry');
    }
  };

  return {
    count: (name, labels = {}, by = 1) => write('count', name, by, labels),
    observe: (name, value, labels = {}) => write('observe', name, value, labels),
    gauge: (name, value, labels = {}) => write('gauge', name, value, labels),
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}
