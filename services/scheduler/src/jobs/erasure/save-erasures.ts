import { saveErasures } from '../../erasures/save-erasures.ts';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

export const keepErasuresJob: ScheduledJob = {
  name: 'keep_erasures',
  description: 'With `ERASURES_FILE`: replays erasures that a restored database has forgotten, then writes all of them to the file.',
  cron: '30 */10 * * * *',
  atStart: true,
  async run({ database, clock, erasuresFile }) {
    if (erasuresFile === null) return undefined;
    const { marked } = await saveErasures(database, clock, erasuresFile);
    return marked > 0 ? { marked } : undefined;
  },
};
