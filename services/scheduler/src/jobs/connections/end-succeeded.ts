import { endSucceeded } from '@pulsewire/connections';
import { dropPlan, hasReadLive, isBehind } from '@pulsewire/ingest';
import { connectors } from '@pulsewire/providers';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';
import { inBatches } from './in-batches.ts';

const batchMax = 100;

export const endSucceededJob: ScheduledJob = {
  name: 'end_succeeded_connections',
  description:
    'Deregisters connections to ending providers that were handed over to a successor, once late data has arrived and the successor delivers.',
  cron: '0 27 * * * *',
  run: ({ database, clock }, signal) =>
    inBatches(signal, (after) =>
      endSucceeded(
        { database, clock, connectors, hasReadLive, isBehind, onDeregistered: (tx, { connectionId }) => dropPlan(tx, connectionId) },
        batchMax,
        after,
      ),
    ),
};
