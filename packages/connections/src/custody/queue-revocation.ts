import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { databaseNow, run, type Executor } from '@pulsewire/database';
import type { TokenSet } from '@pulsewire/providers';
import type { CustodyContext } from '../context/context.ts';
import type { Deregistration } from '../model/deregistration.ts';
import { deregistrations } from '../model/tables.ts';
import { tokenContext } from '../model/seal-contexts.ts';

/** Queues the revocation of tokens that never belonged to a connection. */
export async function queueRevocation(
  context: CustodyContext,
  grant: Omit<Deregistration, 'connectionId' | 'account'> & { readonly tokens: TokenSet },
  { orm }: Executor = context.database,
): Promise<void> {
  const connectionId = randomUUID();
  const seal = (token: string) => context.cipher.seal(token, tokenContext(connectionId));
  const { refreshToken } = grant.tokens;
  await run(
    orm.insert(deregistrations).values({
      connectionId,
      teamId: grant.teamId,
      userId: grant.userId,
      provider: grant.provider,
      providerUserId: grant.providerUserId,
      application: grant.application,
      grantedScopes: [...grant.grantedScopes],
      // JSON null, not SQL's.
      account: sql`'null'`,
      accessToken: seal(grant.tokens.accessToken),
      refreshToken: refreshToken === null ? null : seal(refreshToken),
      dueAt: databaseNow,
      createdAt: context.clock.now(),
    }),
  );
}
