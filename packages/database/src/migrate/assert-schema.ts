import { AppError } from '@pulsewire/kernel';
import type { Executor } from '../client.ts';
import { pendingMigrations } from './pending-migrations.ts';
import { readMigrations } from './read-migrations.ts';

/**
 * Makes sure that this program fits the schema; changes nothing. Services and commands call it at their start: only `admin -- migrate` and
 * an installation with its own server migrate, because an upgrade is planned. Throws AppError `migrations_pending`, which may pass while the
 * operator migrates, and what `pendingMigrations` throws.
 */
export async function assertSchema(executor: Executor, folder?: string): Promise<void> {
  const pending = await pendingMigrations(executor, await readMigrations(folder));
  const [first] = pending;
  if (first === undefined) return;
  const which = pending.length === 1 ? first.name : `${first.name} to ${pending.at(-1)?.name}`;
  throw new AppError({
    code: 'migrations_pending',
    kind: 'unavailable',
    message: `${pending.length} ${pending.length === 1 ? 'migration is' : 'migrations are'} pending (${which}). Run \`npm run admin -- migrate\` with the DATABASE_URL of the owner`,
    retryable: true,
    details: { pending: pending.map(({ name }) => name) },
  });
}
