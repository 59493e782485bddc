import { migrate, readMigrations } from '@pulsewire/database';
import { forgetGroup, newGeneration, readLag, reshard } from '@pulsewire/eventlog';
import { required, type AdminCommand } from './command.ts';

export const operationCommands: readonly AdminCommand[] = [
  {
    name: 'migrate',
    usage: '',
    about: 'brings the schema up to date; safe beside running processes of the same version',
    async run({ database, print }) {
      const applied = await migrate(database);
      for (const name of applied) print(`applied ${name}`);
      print(`The schema is at ${(await readMigrations()).at(-1)?.name ?? 'nothing'}.`);
    },
  },
  {
    name: 'log lag',
    usage: '[group]',
    about: 'how far the readers of the log are behind (default group: dispatcher)',
    async run({ database, print }, args) {
      const group = args.positionals[0] ?? 'dispatcher';
      const lag = await readLag(database, group);
      print(`${group}: ${lag.events} events behind, the oldest ${(lag.oldestAgeMs / 1000).toFixed(1)} s old`);
    },
  },
  {
    name: 'log forget',
    usage: '<group>',
    about: 'forgets readers that are gone for good; until then retention keeps what they have not read',
    async run({ database, print }, args) {
      print((await forgetGroup(database, required(args, 0, 'group'))) ? 'Forgotten.' : 'There is no such group.');
    },
  },
  {
    name: 'log new-generation',
    usage: '',
    about:
      'after a restored disk snapshot, or a failover that the server does not show: no offset is used twice; before anything else is started',
    async run({ database, print }) {
      const { generation } = await newGeneration(database);
      print(`Generation ${generation} has begun. Consumers read on from the positions in the database.`);
    },
  },
  {
    name: 'log reshard',
    usage: '<shards>',
    about: 'raises the number of shards to a greater power of two, while everything runs; it cannot be lowered',
    async run({ database, print }, args) {
      const { generation, shardCount } = await reshard(database, Number(required(args, 0, 'shards')));
      print(`Generation ${generation} has begun with ${shardCount} shards.`);
    },
  },
];
