import { pausePastIngestionEnd } from '@pulsewire/connections';
import { dropPlan } from '@pulsewire/ingest';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';
import { inBatches } from './in-batches.ts';

const batchMax = 100;

export const pauseEndedConnectionsJob: ScheduledJob = {
  name: 'pause_ended_connections',
  description:
    'Deregisters and pauses connections of users whose ingestion has ended, late data included. A failure for one user does not stop the others.',
  cron: '0 17 * * * *',
  run: ({ database, clock }, signal) =>
    inBatches(signal, (after) =>
      pausePastIngestionEnd({ database, clock, onPaused: (tx, { connectionId }) => dropPlan(tx, connectionId) }, batchMax, after),
    ),
};
