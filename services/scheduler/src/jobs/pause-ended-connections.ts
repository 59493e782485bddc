import { pauseEndedConnections } from '@pulsewire/connections';
import { dropPlan } from '@pulsewire/ingest';
import type { ScheduledJob } from '../scheduled-job.ts';

const batchMax = 100;

/** Connections whose user's ingestion has ended, late data included, are deregistered and paused. */
export const pauseEndedConnectionsJob: ScheduledJob = {
  name: 'pause_ended_connections',
  cron: '0 17 * * * *',
  async run({ database, clock }, signal) {
    let connections = 0;
    let users = batchMax;
    while (users === batchMax && !signal.aborted) {
      const done = await pauseEndedConnections(
        { database, clock, onPaused: (tx, connection) => dropPlan(tx, connection.connectionId) },
        batchMax,
      );
      users = done.users;
      connections += done.connections;
    }
    return connections > 0 ? { connections } : undefined;
  },
};
