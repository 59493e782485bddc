import {
  checkCipherKeys,
  configuredKeys,
  describeLocks,
  grantRuntimeRole,
  migrate,
  pendingMigrations,
  readMigrations,
} from '@pulsewire/database';
import { installJobs } from '@pulsewire/ingest';
import { required, type AdminArguments, type AdminCommand, type AdminContext } from '../command/command.ts';

async function listPending({ database, print }: AdminContext): Promise<void> {
  const pending = await pendingMigrations(database, await readMigrations());
  for (const migration of pending) print([migration.name, ...describeLocks(migration)].join('\n    '));
  print(pending.length === 0 ? 'No migration is pending.' : `${pending.length} migrations are pending; nothing was changed.`);
}

async function migrateAll(context: AdminContext, args: AdminArguments): Promise<void> {
  const { database, encryption, print } = context;
  if (args.options['dry-run'] === true) return listPending(context);
  // Wrong keys must not be noticed only after the schema has changed.
  if (encryption?.encryptionKeys !== undefined || encryption?.vaultUrl !== undefined)
    await checkCipherKeys(database, configuredKeys(database, encryption));
  await migrate(database, {
    onApplied: (name, durationMs) => print(`Applied ${name} in ${Math.round(durationMs)} ms.`),
    onBlocked: (name, holders) => print(`${name} waits for other sessions: ${holders.join('; ') || 'unknown'}`),
  });
  await installJobs(database);
  print('The schema is up to date.');
}

export const databaseCommands: readonly AdminCommand[] = [
  {
    name: 'migrate',
    usage: '[--dry-run]',
    about:
      'migrate the schema and the job queues, as the owner of the database; safe while processes of the same version run; --dry-run lists the pending migrations and what waits for each of them',
    run: migrateAll,
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
