import { AppError } from '@pulsewire/kernel';
import { createApiKey, findApiKey, findTeam, listApiKeys, revokeApiKey, rotateApiKey, type Team } from '@pulsewire/connections';
import type { Executor } from '@pulsewire/database';
import { required, requiredOption, type AdminArguments, type AdminCommand } from './command.ts';

async function teamOf(database: Executor, args: AdminArguments): Promise<Team> {
  const team = await findTeam(database, required(args, 0, 'team_id'));
  if (!team) throw new AppError({ code: 'team_not_found', kind: 'not_found', message: 'There is no team with this id' });
  return team;
}

export const keyCommands: readonly AdminCommand[] = [
  {
    name: 'keys list',
    usage: '<team_id>',
    about: 'the keys of a team; a key itself is never stored',
    async run({ database, print }, args) {
      for (const key of await listApiKeys(database, required(args, 0, 'team_id'))) {
        print(
          `${key.keyId}  ${key.label}  made ${key.createdAt.toISOString()}${key.revokedAt ? `  revoked ${key.revokedAt.toISOString()}` : ''}`,
        );
      }
    },
  },
  {
    name: 'keys create',
    usage: '<team_id> --label <text>',
    about: 'another key for a team, shown once',
    async run({ database, clock, print }, args) {
      const team = await teamOf(database, args);
      const { key } = await createApiKey(database, clock, { team, label: requiredOption(args, 'label') });
      print(`API key (shown once): ${key}`);
    },
  },
  {
    name: 'keys rotate',
    usage: '<team_id> <key_id>',
    about: 'replaces a key by a new one, shown once; the old one ends at once',
    async run({ database, clock, print, seededKey }, args) {
      const team = await teamOf(database, args);
      const keyId = required(args, 1, 'key_id');
      const seeded = await seededKey?.read();
      const isSeeded = typeof seeded === 'string' && (await findApiKey(database, seeded))?.keyId === keyId;
      const { key } = await database.transaction((tx) => rotateApiKey(tx, clock, team, keyId));
      if (isSeeded) await seededKey?.save(key);
      print(`API key (shown once): ${key}`);
    },
  },
  {
    name: 'keys revoke',
    usage: '<team_id> <key_id>',
    about: 'ends a key at once',
    async run({ database, clock, print }, args) {
      await revokeApiKey(database, clock, required(args, 0, 'team_id'), required(args, 1, 'key_id'));
      print('Revoked.');
    },
  },
];
