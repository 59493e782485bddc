import { markdownItem } from '@pulsewire/kernel';
import { allJobs } from './jobs/all-jobs.ts';

/** The scheduled jobs for the README. */
export function jobList(): string {
  const items = allJobs.map(({ name, cron, atStart, description }) =>
    markdownItem(`\`${name}\` (\`${cron}\`${atStart ? ', at start' : ''}): ${description}`),
  );
  return items.join('\n');
}
