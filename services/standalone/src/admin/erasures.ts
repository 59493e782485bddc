import { replayErasuresFile, saveErasures } from '@pulsewire/service-scheduler';
import { required, type AdminCommand } from './command.ts';
import { eraseDueUsers } from './erase-due-users.ts';

export const erasureCommands: readonly AdminCommand[] = [
  {
    name: 'erasures export',
    usage: '<file>',
    about: 'adds every erased user to a list that is kept outside of backups: ids and times alone, signed',
    async run({ database, clock, print }, args) {
      const { count } = await saveErasures(database, clock, required(args, 0, 'file'));
      print(`The list has ${count} erased users.`);
    },
  },
  {
    name: 'erasures replay',
    usage: '<file>',
    about: 'erases the users of a list again, after a restore',
    async run(context, args) {
      const marked = await replayErasuresFile(context.database, context.clock, required(args, 0, 'file'));
      await eraseDueUsers(context);
      context.print(`${marked} users of the list were here and have been erased.`);
    },
  },
];
