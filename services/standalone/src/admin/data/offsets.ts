import { readOffsetOrigins } from '@pulsewire/store';
import { required, type AdminCommand } from '../command/command.ts';
import { parseInstant } from '../command/options.ts';

const meanings = {
  value: 'sent with the value',
  provider: "from the provider's time zone",
  user: "from the user's fallback time zone",
  assumed: 'unknown; wall clocks read as UTC',
  unrecorded: 'stored before origins were recorded',
} as const;

export const offsetCommands: readonly AdminCommand[] = [
  {
    name: 'offsets',
    usage: '<team_id> <user_id> <resource> <from> <until>',
    about: "show the origin of the time-zone offsets of a user's records, by source",
    async run({ database, print }, args) {
      const origins = await readOffsetOrigins(database, {
        teamId: required(args, 0, 'team_id'),
        userId: required(args, 1, 'user_id'),
        resource: required(args, 2, 'resource'),
        fromMs: parseInstant('from', required(args, 3, 'from')).getTime(),
        toMs: parseInstant('until', required(args, 4, 'until')).getTime(),
      });
      if (origins.length === 0) print('no records');
      for (const { provider, sourceType, origin, count, fromMs, toMs } of origins) {
        const [first, last] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
        print(`${provider} ${sourceType}  ${origin} (${meanings[origin]})  ${count} from ${first} to ${last}`);
      }
    },
  },
];
