import { required, type AdminCommand } from '../command/command.ts';
import { eraseDueTeams, eraseDueUsers } from './erase-due-users.ts';

// Loads most packages: only for the commands that erase.
const load = () => import('@pulsewire/service-scheduler');

export const erasureCommands: readonly AdminCommand[] = [
  {
    name: 'erasures export',
    usage: '<file>',
    about: 'add every erased user and team to a signed list, to be kept outside of backups (ids and times only)',
    async run({ database, clock, print }, args) {
      const { saveErasures } = await load();
      const { count } = await saveErasures(database, clock, required(args, 0, 'file'));
      print(`The list has ${count} erased users and teams.`);
    },
  },
  {
    name: 'erasures replay',
    usage: '<file>',
    about: 'erase the users and teams of such a list again, after a restore',
    async run(context, args) {
      const { replayErasuresFile } = await load();
      const { users, teams } = await replayErasuresFile(context.database, context.clock, required(args, 0, 'file'));
      await eraseDueUsers(context);
      await eraseDueTeams(context);
      context.print(`${users} users and ${teams} teams of the list existed and have been erased.`);
    },
  },
];
