import type { AuditRecorder } from '@pulsewire/audit';
import { compose } from '@pulsewire/service-api';
import { apiConfig, openReadBench } from './open-bench.ts';
import { compareReads } from './paired.ts';
import type { Benchmark } from '../report.ts';

const noAudit: AuditRecorder = { record: () => {}, recordNow: async () => {}, close: async () => {} };
/** Requests per second of a key: more than the machine serves, so that none is refused. */
const rateLimit = 5000;

/** Cost of the shared token bucket of a key per read: requests per second of the same API with and without it, alternating. */
export const rateLimitBenchmark: Benchmark = {
  name: 'rate-limit',
  async run({ isQuick }) {
    await using bench = await openReadBench('bench_rate_limit');
    const open = (limit: number) => compose({ ...apiConfig(bench.url), rateLimit: limit }, { checksDatabase: false, audit: noAudit });
    const limited = await open(rateLimit);
    const unlimited = await open(0);
    try {
      const { lines } = await compareReads(
        bench,
        { with: { api: limited }, without: { api: unlimited }, ...(isQuick ? { rounds: 24, roundMs: 600 } : { rounds: 60, roundMs: 800 }) },
        'with the shared rate limit',
      );
      return lines;
    } finally {
      await Promise.all([limited.close(), unlimited.close()]);
    }
  },
};
