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
  if (started === null) return 'Log: this server already has its generation. If a disk snapshot was restored, repeat the command with --snapshot.';
  const { generation, isNew = true } = started;
  if (isNew) return `Log: started generation ${generation}; consumers continue from the positions in the database.`;
  return `Log: generation ${generation} was already started and nothing has been read from it yet, so it is kept. If another snapshot was restored since, run: log new-generation`;
}

export const restoredCommand: AdminCommand = {
  name: 'restored',
  usage: '[erasures_file] [--snapshot]',
  about:
    'repair the state after a restore, before any process starts: log generation, leases, versions and erasures. --snapshot: a disk snapshot or machine was restored, which the server does not report',
  async run(context, args) {
    const { database, clock, print } = context;
    await assertAlone(database);
    const started =
      (await ensureGeneration(database)) ?? (args.options['snapshot'] === true ? await generationAfterSnapshot(database) : null);
    print(describeGeneration(started));
    const deliveries = await releaseDeliveries(database);
    print(`Interrupted deliveries: ${deliveries}; they are repeated with the same webhook-id.`);
    print(`Interrupted token refreshes: ${await releaseRefreshLeases(database)}.`);
    print(`Interrupted pulls: ${await releasePullLeases(database)}.`);
    print(`Earlier consumers: ${await dropMembers(database)}; their shards are released.`);
    print(`Record versions continue at ${await drawVersion(database)}.`);
    const [file] = args.positionals;
    if (file !== undefined) {
      const { replayErasuresFile } = await import('@pulsewire/service-scheduler');
      const { users, teams } = await replayErasuresFile(database, clock, file);
      print(`Erasures: the restore had brought back ${users} users and ${teams} teams of the list.`);
    }
    print(`Users erased: ${await eraseDueUsers(context)}. Teams erased: ${await eraseDueTeams(context)}.`);
    if (file === undefined)
      print('No list of erasures was given: users and teams that were erased after the backup have reappeared. Run: erasures replay <file>');
    print(
      'API keys and endpoints that were revoked or deleted after the backup are valid again: review `keys list` and `webhooks list`.',
    );
  },
};
