import { and, eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { teamScopeRequirements as requirements } from '../model/tables.ts';

/** Scopes without which a team rejects a connection to this provider; empty when it requires none. */
export async function findMustGrantScopes({ orm }: Executor, teamId: string, provider: string): Promise<readonly string[]> {
  const [row] = await run(
    orm
      .select({ mustGrant: requirements.mustGrant })
      .from(requirements)
      .where(and(eq(requirements.teamId, teamId), eq(requirements.provider, provider))),
  );
  return row?.mustGrant ?? [];
}

/** Sets the scopes that a user must grant; an empty list removes the requirement. */
export async function putMustGrantScopes({ orm }: Executor, teamId: string, provider: string, scopes: readonly string[]): Promise<void> {
  const mustGrant = [...scopes];
  await run(
    orm
      .insert(requirements)
      .values({ teamId, provider, mustGrant })
      .onConflictDoUpdate({ target: [requirements.teamId, requirements.provider], set: { mustGrant } }),
  );
}
