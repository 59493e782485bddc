import { handBackFailed } from '@pulsewire/connections';
import { lastDayStored } from '@pulsewire/ingest';
import { connectors } from '@pulsewire/providers';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';
import { inBatches } from './in-batches.ts';

const batchMax = 100;

export const handBackFailedJob: ScheduledJob = {
  name: 'hand_back_failed_connections',
  description: 'Reads connections to ending providers again whose successor is in error, from the day after its last.',
  cron: '0 17 * * * *',
  run: ({ database, clock }, signal) =>
    inBatches(signal, (after) => handBackFailed({ database, clock, connectors, lastDayRead: lastDayStored }, batchMax, after)),
};
