import { pausePastIngestionEnd, type Connection } from '@pulsewire/connections';
import type { Tx } from '@pulsewire/database';
import { dropPlan } from '@pulsewire/ingest';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

const batchMax = 100;

export const pauseEndedConnectionsJob: ScheduledJob = {
  name: 'pause_ended_connections',
  description:
    'Deregisters and pauses connections of users whose ingestion has ended, late data included. A failure for one user does not stop the others.',
  cron: '0 17 * * * *',
  async run({ database, clock }, signal) {
    let connections = 0;
    let after: string | null = null;
    const errors: unknown[] = [];
    do {
      const context = { database, clock, onPaused: (tx: Tx, connection: Connection) => dropPlan(tx, connection.connectionId) };
      const done: Awaited<ReturnType<typeof pausePastIngestionEnd>> = await pausePastIngestionEnd(context, batchMax, after);
      connections += done.connections;
      errors.push(...done.errors);
      after = done.next;
    } while (after !== null && !signal.aborted);
    if (errors.length > 0) throw errors[0];
    return connections > 0 ? { connections } : undefined;
  },
};
