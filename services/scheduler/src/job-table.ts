import { allJobs } from './jobs/all-jobs.ts';

/** Table of the scheduled jobs for the README. */
export function jobTable(): string {
  const rows = allJobs.map(
    ({ name, cron, atStart, description }) => `| \`${name}\` | \`${cron}\`${atStart ? ', at start' : ''} | ${description} |`,
  );
  return ['| job | when (seconds first, UTC) | what it does |', '|---|---|---|', ...rows].join('\n');
}
