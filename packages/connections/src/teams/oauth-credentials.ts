import { and, eq } from 'drizzle-orm';
import { errorCode, type Clock, type Logger } from '@pulsewire/kernel';
import { run, type Cipher, type Executor } from '@pulsewire/database';
import type { OAuthApplication } from '@pulsewire/providers';
import { actingTeams } from '../model/may-act.ts';
import { credentialContext } from '../model/seal-contexts.ts';
import { teamOAuthCredentials as credentials } from '../model/tables.ts';

/** A team's own application at a provider, without its secret. */
export interface OAuthCredential {
  readonly teamId: string;
  readonly provider: string;
  readonly clientId: string;
  /** The team's own address that forwards to our callback, or null for ours. */
  readonly redirectUrlOverride: string | null;
  readonly updatedAt: Date;
}

const byKey = (teamId: string, provider: string) => and(eq(credentials.teamId, teamId), eq(credentials.provider, provider));

/** Sets a team's application at a provider; replaces an existing one. */
export async function putOAuthCredential(
  executor: Executor,
  { cipher, clock }: { readonly cipher: Cipher; readonly clock: Clock },
  credential: { readonly teamId: string; readonly provider: string; readonly redirectUrlOverride: string | null } & OAuthApplication,
): Promise<void> {
  const { teamId, provider, clientId, clientSecret, redirectUrlOverride } = credential;
  const now = clock.now();
  const sealed = cipher.seal(clientSecret, credentialContext(teamId, provider));
  const values = { clientId, clientSecret: sealed, redirectUrlOverride, updatedAt: now };
  await run(
    executor.orm
      .insert(credentials)
      .values({ teamId, provider, ...values, createdAt: now })
      .onConflictDoUpdate({ target: [credentials.teamId, credentials.provider], set: values }),
  );
}

/** Removes a team's application. Connections that were made with it can no longer refresh their tokens. */
export async function deleteOAuthCredential({ orm }: Executor, teamId: string, provider: string): Promise<boolean> {
  const rows = await run(orm.delete(credentials).where(byKey(teamId, provider)).returning({ provider: credentials.provider }));
  return rows.length > 0;
}

/** The team's applications by provider, without their secrets. */
export async function listOAuthCredentials({ orm }: Executor, teamId: string): Promise<readonly OAuthCredential[]> {
  const { provider, clientId, redirectUrlOverride, updatedAt } = credentials;
  return run(
    orm
      .select({ teamId: credentials.teamId, provider, clientId, redirectUrlOverride, updatedAt })
      .from(credentials)
      .where(eq(credentials.teamId, teamId))
      .orderBy(provider),
  );
}

/** The team's application with its secret decrypted; null when the team uses the platform's. */
export async function findTeamApplication(
  { orm }: Executor,
  cipher: Cipher,
  teamId: string,
  provider: string,
): Promise<(OAuthApplication & { readonly redirectUrlOverride: string | null }) | null> {
  const [row] = await run(orm.select().from(credentials).where(byKey(teamId, provider)));
  if (!row) return null;
  const clientSecret = cipher.open(row.clientSecret, credentialContext(teamId, provider));
  return { clientId: row.clientId, clientSecret, redirectUrlOverride: row.redirectUrlOverride };
}

/**
 * Every team's application at one provider with its secret, at most 1,000, without those of deleted teams: a push is signed by one of them without naming it. An
 * application whose secret cannot be decrypted is logged and left out, so that it does not affect other teams.
 */
export async function listApplications(
  { orm, sql }: Executor,
  { cipher, logger }: { readonly cipher: Cipher; readonly logger: Logger },
  provider: string,
): Promise<readonly (OAuthApplication & { readonly teamId: string })[]> {
  const rows = await run(
    orm.select().from(credentials).where(eq(credentials.provider, provider)).orderBy(credentials.createdAt).limit(1000),
  );
  const acting = await actingTeams(
    { orm, sql },
    rows.map(({ teamId }) => teamId),
  );
  const ofActing = rows.filter(({ teamId }) => acting.has(teamId));
  return ofActing.flatMap(({ teamId, clientId, clientSecret }) => {
    try {
      return [{ teamId, clientId, clientSecret: cipher.open(clientSecret, credentialContext(teamId, provider)) }];
    } catch (error) {
      logger.error({ teamId, provider, errorCode: errorCode(error) }, 'oauth_credential.unreadable');
      return [];
    }
  });
}
