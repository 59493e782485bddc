import type { Clock } from '@pulsewire/kernel';
import { advisoryLocks, type Database } from '@pulsewire/database';
import { createApiKey, createTeam, findApiKey, findTeam, findTeamByKeyLabel, type Team } from '@pulsewire/connections';

/** Label of the keys that `npm start` creates, which also identifies the seeded team. */
const seedLabel = 'npm start';

export interface SeededTeam {
  readonly team: Team;
  /** Null when this key was revoked. */
  readonly apiKey: string | null;
  /** Whether the key was added by this start. */
  readonly isNew: boolean;
}

/** The sandbox team of this installation and its key. Created at the first start; a new key is added to the same team. */
export function seedTeam(database: Database, clock: Clock, key: string): Promise<SeededTeam> {
  return database.transaction(async (tx) => {
    await tx.sql`SELECT pg_advisory_xact_lock(${advisoryLocks.seedTeam})`;
    const known = await findApiKey(tx, key);
    const team = known ? await findTeam(tx, known.teamId) : await findTeamByKeyLabel(tx, seedLabel);
    if (known && team) return { team, apiKey: known.revokedAt === null ? key : null, isNew: false };
    const seeded = team ?? (await createTeam(tx, clock, { name: 'Sandbox', isSandbox: true }));
    await createApiKey(tx, clock, { team: seeded, label: seedLabel, key });
    return { team: seeded, apiKey: key, isNew: true };
  });
}
