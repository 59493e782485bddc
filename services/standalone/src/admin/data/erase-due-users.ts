import { manualProviders } from '@pulsewire/connections';
import { AppError, silentLogger } from '@pulsewire/kernel';
import { connectors, withoutConnector } from '@pulsewire/providers';
import type { AdminContext } from '../command/command.ts';

// Loads most packages: only for the commands that erase.
const load = () => import('@pulsewire/service-scheduler');

/** Erases every user whose erasure is due, as the scheduler does. Throws AppError `erasure_failed` when some could not be erased. */
export async function eraseDueUsers({ database, clock }: Pick<AdminContext, 'database' | 'clock'>): Promise<number> {
  const { eraseUsersJob } = await load();
  const providerSlugs = [...new Set([...connectors, ...withoutConnector, ...manualProviders].map(({ slug }) => slug))];
  const done = (await eraseUsersJob.run({ database, clock, logger: silentLogger, providerSlugs }, new AbortController().signal)) as
    | { readonly users: number; readonly failed: number }
    | undefined;
  if (done === undefined || done.failed === 0) return done?.users ?? 0;
  throw new AppError({
    code: 'erasure_failed',
    kind: 'conflict',
    message: `${done.failed} users could not be erased now; the scheduler retries every ten minutes`,
  });
}

/** Erases every deleted team that is due and has no users left, as the scheduler does. */
export async function eraseDueTeams({ database, clock }: Pick<AdminContext, 'database' | 'clock'>): Promise<number> {
  const { eraseTeamsJob } = await load();
  const done = await eraseTeamsJob.run({ database, clock, logger: silentLogger }, new AbortController().signal);
  return (done as { readonly teams: number } | undefined)?.teams ?? 0;
}
