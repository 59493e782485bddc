import type { ScheduledJob } from '../schedule/scheduled-job.ts';

/**
 * Writes a marker to each partition of the compacted topics, so that segments of quiet partitions are closed and compacted and an erased
 * value does not outlive the documented day. At least twice as often as a segment may be open.
 */
export const rollStateSegmentsJob: ScheduledJob = {
  name: 'roll_state_segments',
  cron: '0 7,37 * * * *',
  async run({ segmentRoller }) {
    return segmentRoller?.roll();
  },
};
