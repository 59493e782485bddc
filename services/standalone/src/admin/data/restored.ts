import { releaseRefreshLeases } from '@pulsewire/connections';
import type { Database } from '@pulsewire/database';
import { dropMembers, ensureGeneration, generationAfterSnapshot, type StartedGeneration } from '@pulsewire/eventlog';
import { releasePullLeases } from '@pulsewire/ingest';
import { AppError } from '@pulsewire/kernel';
import { drawVersion } from '@pulsewire/store';
import { releaseDeliveries } from '@pulsewire/webhooks';
import type { AdminCommand } from '../command/command.ts';
import { eraseDueTeams, eraseDueUsers } from './erase-due-users.ts';

// A running process may still hold the leases that are released here.
async function assertAlone({ sql }: Database): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    SELECT DISTINCT application_name AS name FROM pg_stat_activity
    WHERE datname = current_database() AND application_name ~ '^(pulsewire-|standalone$)' ORDER BY 1`;
  if (rows.length === 0) return;
  throw new AppError({
    code: 'processes_running',
    kind: 'conflict',
    message: `Stop every process first; connected now: ${rows.map(({ name }) => name).join(', ')}`,
  });
}

function describeGeneration(started: (StartedGeneration & { readonly isNew?: boolean }) | null): string {
  if (started === null) return 'Log: this server has its generation already. Was a disk snapshot restored? Then run this with --snapshot.';
  const { generation, isNew = true } = started;
  if (isNew) return `Log: generation ${generation} has begun; consumers read on from the positions in the database.`;
  return `Log: generation ${generation} has begun before, and no one has read from it yet: this run goes on with it. Was another snapshot restored since? Then run: log new-generation`;
}

export const restoredCommand: AdminCommand = {
  name: 'restored',
  usage: '[erasures_file] [--snapshot]',
  about:
    'after a restore and before any process starts: new generation of the log, leases, versions, erasures. --snapshot: a disk snapshot or machine was set back, which the server does not show',
  async run(context, args) {
    const { database, clock, print } = context;
    await assertAlone(database);
    const started =
      (await ensureGeneration(database)) ?? (args.options['snapshot'] === true ? await generationAfterSnapshot(database) : null);
    print(describeGeneration(started));
    const deliveries = await releaseDeliveries(database);
    print(`Deliveries that were under way: ${deliveries}; they are made again, with the same webhook-id.`);
    print(`Tokens that were being renewed: ${await releaseRefreshLeases(database)}.`);
    print(`Connections that were being pulled: ${await releasePullLeases(database)}.`);
    print(`Consumers of before: ${await dropMembers(database)}; their shards are free.`);
    print(`Record versions continue at ${await drawVersion(database)}.`);
    const [file] = args.positionals;
    if (file !== undefined) {
      const { replayErasuresFile } = await import('@pulsewire/service-scheduler');
      const { users, teams } = await replayErasuresFile(database, clock, file);
      print(`Erasures: ${users} users and ${teams} teams of the list had come back.`);
    }
    print(`Users erased: ${await eraseDueUsers(context)}. Teams erased: ${await eraseDueTeams(context)}.`);
    if (file === undefined)
      print('No list of erasures was given: users and teams erased after the backup are here again. Run: erasures replay <file>');
    print(
      'API keys and endpoints that were revoked or deleted after the backup are valid again: look through `keys list` and `webhooks list`.',
    );
  },
};
