import type { ScheduledJob } from '../schedule/scheduled-job.ts';

export const rollStateSegmentsJob: ScheduledJob = {
  name: 'roll_state_segments',
  description:
    'With Kafka: writes a marker to each partition of the compacted topics, so that segments of quiet partitions are closed and compacted and an erased value does not outlive the documented day.',
  cron: '0 7,37 * * * *',
  async run({ segmentRoller }) {
    return segmentRoller?.roll();
  },
};
