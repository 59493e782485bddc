import { buildPastSummaries, type PastProgress } from '@pulsewire/intake';
import type { AdminCommand } from '../command/command.ts';
import { optionUuid } from '../command/options.ts';

const phonesBetweenLines = 100;

function describe({ phones, activities, bodies, meals, nights, failed, lastUserId }: PastProgress): string {
  const failures = failed === 0 ? '' : `, ${failed} phones with values that cannot be stored`;
  const last = lastUserId === null ? '' : `; last user ${lastUserId}`;
  return `${phones} phones: ${activities} activity, ${bodies} body, ${meals} meal, ${nights} of sleep${failures}${last}`;
}

export const phoneCommands: readonly AdminCommand[] = [
  {
    name: 'phones build-summaries',
    usage: '[--team <team_id>] [--user <user_id>] [--from <user_id>]',
    about:
      'build the missing activity, body and meal summaries of phones from stored samples, and their nights again, beside running services; safe to stop and repeat; --from continues after the last user that was printed',
    async run({ database, print }, args) {
      const query = {
        teamId: optionUuid(args, 'team') ?? null,
        userId: optionUuid(args, 'user') ?? null,
        afterUserId: optionUuid(args, 'from') ?? null,
      };
      const done = await buildPastSummaries(database, query, (progress) => {
        if (progress.phones % phonesBetweenLines === 0) print(`${describe(progress)} …`);
      });
      print(`Built: ${describe(done)}`);
    },
  },
];
