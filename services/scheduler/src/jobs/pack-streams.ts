import { packStreams } from '@pulsewire/store';
import type { ScheduledJob } from '../schedule/scheduled-job.ts';

const streamsPerRun = 5000;

export const packStreamsJob: ScheduledJob = {
  name: 'pack_streams',
  description: 'Packs workout streams that earlier versions stored as JSON, 5,000 per run; does nothing once all are packed.',
  cron: '25 */10 * * * *',
  async run({ database }) {
    const packed = await packStreams(database, streamsPerRun);
    return packed > 0 ? { packed } : undefined;
  },
};
