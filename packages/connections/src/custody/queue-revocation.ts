import { randomUUID } from 'node:crypto';
import type { Executor } from '@pulsewire/database';
import type { TokenSet } from '@pulsewire/providers';
import type { CustodyContext } from '../context/context.ts';
import type { Deregistration } from '../model/deregistration.ts';
import { tokenContext } from '../model/seal-contexts.ts';

/** Queues the revocation of tokens that never belonged to a connection. */
export async function queueRevocation(
  context: CustodyContext,
  grant: Omit<Deregistration, 'connectionId' | 'account'> & { readonly tokens: TokenSet },
  { sql }: Executor = context.database,
): Promise<void> {
  const connectionId = randomUUID();
  const seal = (token: string | null) => token && context.cipher.seal(token, tokenContext(connectionId));
  const now = context.clock.now().toISOString();
  await sql`
    INSERT INTO deregistrations (connection_id, team_id, user_id, provider, provider_user_id, application, granted_scopes, account,
      access_token, refresh_token, due_at, created_at)
    VALUES (${connectionId}, ${grant.teamId}, ${grant.userId}, ${grant.provider}, ${grant.providerUserId}, ${grant.application},
      ${[...grant.grantedScopes]}::text[], 'null', ${seal(grant.tokens.accessToken)}, ${seal(grant.tokens.refreshToken)}, ${now}, ${now})`;
}
