import { grantRuntimeRole } from '@pulsewire/database';
import { installJobs } from '@pulsewire/ingest';
import { required, type AdminCommand } from '../command/command.ts';

export const databaseCommands: readonly AdminCommand[] = [
  {
    name: 'migrate',
    usage: '',
    about: 'brings the schema and the job queues up to date, as the owner of the database',
    async run({ database, applied = [], print }) {
      await installJobs(database);
      for (const name of applied) print(`Applied ${name}.`);
      print('The schema is up to date.');
    },
  },
  {
    name: 'database grant',
    usage: '<role>',
    about: 'gives an existing database role what the services need; it cannot change the schema. Run it as the owner',
    async run({ database, print }, args) {
      const role = required(args, 0, 'role');
      await installJobs(database);
      await grantRuntimeRole(database, role);
      print(`${role} may run the services. Give them its DATABASE_URL, and keep the owner's for \`migrate\`.`);
    },
  },
];
