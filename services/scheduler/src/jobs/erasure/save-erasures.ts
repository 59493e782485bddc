import { saveErasures } from '../../erasures/save-erasures.ts';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

/** Keeps the list of erased users outside of the database. After a restore the list knows more than the database: then it is replayed first. */
export const keepErasuresJob: ScheduledJob = {
  name: 'keep_erasures',
  cron: '30 */10 * * * *',
  atStart: true,
  async run({ database, clock, erasuresFile }) {
    if (erasuresFile === null) return undefined;
    const { marked } = await saveErasures(database, clock, erasuresFile);
    return marked > 0 ? { marked } : undefined;
  },
};
