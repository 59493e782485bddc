import type { Clock } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { authenticateKey, createApiKey, createTeam, type Team } from '@pulsewire/connections';

/** The sandbox team that the key opens; made when the key is new here. */
export async function seedTeam(database: Database, clock: Clock, key: string): Promise<Team> {
  const known = await authenticateKey(database, key);
  if (known) return known;
  return database.transaction(async (tx) => {
    const team = await createTeam(tx, clock, { name: 'Sandbox', isSandbox: true });
    await createApiKey(tx, clock, { team, label: 'npm start', key });
    return team;
  });
}
