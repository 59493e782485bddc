import { auditEffects, listAuditEntries } from '@pulsewire/audit';
import type { AdminCommand } from '../command/command.ts';
import { optionInstant, optionUuid, optionWord } from '../command/options.ts';

const shown = 200;

export const auditCommands: readonly AdminCommand[] = [
  {
    name: 'audit list',
    usage: `[team_id] [--user <user_id>] [--effect ${auditEffects.join('|')}] [--since <instant>] [--until <instant>]`,
    about: `list the newest ${shown} entries of the audit log: who read, exported, changed or revealed what`,
    async run({ database, print }, args) {
      const entries = await listAuditEntries(database, {
        teamId: args.positionals[0] ?? null,
        userId: optionUuid(args, 'user'),
        effect: optionWord(args, 'effect', auditEffects),
        since: optionInstant(args, 'since'),
        until: optionInstant(args, 'until'),
        limit: shown,
      });
      for (const one of entries) {
        const target = Object.entries(one.target ?? {}).map(([name, value]) => `${name}=${value}`);
        const words = [
          one.at.toISOString(),
          `team ${one.teamId ?? '-'}`,
          `${one.actorKind} ${one.actor}`,
          one.effect,
          one.action,
          ...(one.userId ? [`user ${one.userId}`] : []),
          ...target,
          `from ${one.address ?? 'this machine'}`,
          String(one.status),
        ];
        print(words.join('  '));
      }
      if (entries.length === shown) print('… there are older ones; narrow it down with --until');
    },
  },
];
