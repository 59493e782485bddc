import { noMetrics, silentLogger, type Metrics } from '@pulsewire/kernel';
import { createAuditRecorder, type AuditRecorder } from '@pulsewire/audit';
import { compose } from '@pulsewire/service-api';
import { setTimeout as wait } from 'node:timers/promises';
import { apiConfig, openReadBench } from './open-bench.ts';
import { compareReads } from './paired.ts';
import type { Benchmark } from '../report.ts';

/** How long the recorder collects. */
const batchMs = 200;
const noAudit: AuditRecorder = { record: () => {}, recordNow: async () => {}, close: async () => {} };

/** Cost of the audit log per read: requests per second of the same API with and without it, alternating. */
export const auditBenchmark: Benchmark = {
  name: 'audit',
  async run({ isQuick }) {
    await using bench = await openReadBench('bench_audit');
    const { database, url, teamId } = bench;
    let [recorded, written] = [0, 0];
    const metrics: Metrics = {
      ...noMetrics,
      count: (name, _labels, by = 1) => {
        if (name === 'audit_entries_total') written += by;
      },
    };
    const recorder = createAuditRecorder({ database, logger: silentLogger, metrics, waitMs: batchMs });
    const counting: AuditRecorder = {
      ...recorder,
      record: (entry) => {
        recorded += 1;
        recorder.record(entry);
      },
    };
    const audited = await compose(apiConfig(url), { checksDatabase: false, audit: counting });
    const unaudited = await compose(apiConfig(url), { checksDatabase: false, audit: noAudit });
    const settle = async () => {
      await wait(batchMs + 50);
      while (written < recorded) await wait(20);
    };
    try {
      const { lines, requests } = await compareReads(
        bench,
        {
          with: { api: audited, settle },
          without: { api: unaudited, settle: () => wait(batchMs + 50) },
          ...(isQuick ? { rounds: 24, roundMs: 600 } : { rounds: 60, roundMs: 800 }),
        },
        'with the audit log',
      );
      await recorder.close();
      const [row] = await database.sql<{ count: number }[]>`SELECT count(*)::int AS count FROM audit_entries WHERE team_id = ${teamId}`;
      const count = row?.count ?? 0;
      return [
        ...lines,
        { what: 'entries written', figure: String(count), against: `${requests} requests`, ratio: count / requests, aim: '1' },
      ];
    } finally {
      await Promise.all([audited.close(), unaudited.close()]);
      await recorder.close();
    }
  },
};
