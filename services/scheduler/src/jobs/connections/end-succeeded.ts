import { endSucceeded } from '@pulsewire/connections';
import { dropPlan, hasReadLive } from '@pulsewire/ingest';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

const batchMax = 100;

export const endSucceededJob: ScheduledJob = {
  name: 'end_succeeded_connections',
  description:
    'Deregisters connections to ending providers that were handed over to a successor, once late data has arrived and the successor delivers.',
  cron: '0 27 * * * *',
  async run({ database, clock }, signal) {
    let connections = 0;
    let after: string | null = null;
    const errors: unknown[] = [];
    do {
      const done: Awaited<ReturnType<typeof endSucceeded>> = await endSucceeded(
        { database, clock, hasReadLive, onDeregistered: (tx, { connectionId }) => dropPlan(tx, connectionId) },
        batchMax,
        after,
      );
      connections += done.connections;
      errors.push(...done.errors);
      after = done.next;
    } while (after !== null && !signal.aborted);
    if (errors.length > 0) throw errors[0];
    return connections > 0 ? { connections } : undefined;
  },
};
