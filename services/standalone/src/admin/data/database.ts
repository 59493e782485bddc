import { grantRuntimeRole } from '@pulsewire/database';
import { installJobs } from '@pulsewire/ingest';
import { required, type AdminCommand } from '../command/command.ts';

export const databaseCommands: readonly AdminCommand[] = [
  {
    name: 'migrate',
    usage: '',
    about: 'migrate the schema and the job queues, as the owner of the database; safe while processes of the same version run',
    async run({ database, applied = [], print }) {
      await installJobs(database);
      for (const name of applied) print(`Applied ${name}.`);
      print('The schema is up to date.');
    },
  },
  {
    name: 'database grant',
    usage: '<role>',
    about: 'grant an existing database role what the services need, without the right to change the schema; run it as the owner',
    async run({ database, print }, args) {
      const role = required(args, 0, 'role');
      await installJobs(database);
      await grantRuntimeRole(database, role);
      print(`${role} can run the services. Set their DATABASE_URL to that role, and use the owner's for \`migrate\`.`);
    },
  },
];
