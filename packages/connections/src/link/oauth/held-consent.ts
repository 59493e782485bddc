import { createHmac, randomUUID } from 'node:crypto';
import type { TokenSet } from '@pulsewire/providers';
import { isUuid } from '@pulsewire/kernel';
import type { Executor } from '@pulsewire/database';
import type { CustodyContext, LinkContext } from '../../context/context.ts';
import { consentSealContext } from '../../model/seal-contexts.ts';
import type { LinkLock } from '../session/link-lock.ts';
import type { ExchangedGrant } from './grant.ts';

/** How long a person may take to confirm. */
export const consentLifeMs = 10 * 60_000;

/** The token answer of a provider for a link that nobody has confirmed yet; still sealed. */
export interface HeldConsent {
  readonly consentId: string;
  readonly sessionId: string;
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  readonly providerUserId: string | null;
  readonly application: 'team' | 'platform';
  readonly tokenAnswer: Buffer;
}

/** What the provider has granted. */
export interface TokenResponse {
  readonly tokens: TokenSet;
  readonly grantedScopes: readonly string[];
}

const codeHash = ({ linkTokenSecret }: LinkContext, { sessionId }: LinkLock['session'], code: string): Buffer =>
  createHmac('sha256', linkTokenSecret)
    .update(JSON.stringify(['code', sessionId, code]))
    .digest();

const columns = ({ sql }: Executor) => sql`
  consent_id AS "consentId", session_id AS "sessionId", team_id AS "teamId", user_id AS "userId", provider,
  provider_user_id AS "providerUserId", application, token_answer AS "tokenAnswer"`;

/** The id under which this code is held already: its callback was loaded again. */
export async function findConsentOfCode(context: LinkContext, lock: LinkLock, code: string): Promise<string | null> {
  const [row] = await context.database.sql<{ id: string }[]>`
    SELECT consent_id AS id FROM link_consents WHERE session_id = ${lock.session.sessionId}
      AND code_hash = ${codeHash(context, lock.session, code)} AND expires_at > ${context.clock.now().toISOString()}`;
  return row?.id ?? null;
}

/** Holds what the provider gave until the person confirms; gives the id that only the browser learns which the provider sent back. */
export async function holdConsent(context: LinkContext, lock: LinkLock, grant: ExchangedGrant, code: string): Promise<string> {
  const consentId = randomUUID();
  const { session } = lock;
  const { connector, application, tokens, providerUserId, grantedScopes } = grant;
  const now = context.clock.now();
  const answer: TokenResponse = { tokens, grantedScopes };
  const sealed = context.cipher.seal(JSON.stringify(answer), consentSealContext(consentId));
  // Tokens that are dead before they are confirmed are of no use.
  const expiresAt = new Date(Math.min(now.getTime() + consentLifeMs, tokens.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY));
  await context.database.sql`
    INSERT INTO link_consents (consent_id, session_id, team_id, user_id, provider, provider_user_id, application, code_hash, token_answer,
      created_at, expires_at)
    VALUES (${consentId}, ${session.sessionId}, ${session.teamId}, ${session.userId}, ${connector.slug}, ${providerUserId}, ${application},
      ${codeHash(context, session, code)}, ${sealed}, ${now.toISOString()}, ${expiresAt.toISOString()})`;
  return consentId;
}

/** A consent of this session that may still be confirmed. */
export async function findHeldConsent(
  { database, clock }: CustodyContext,
  sessionId: string,
  consentId: string | undefined,
): Promise<HeldConsent | null> {
  if (consentId === undefined || !isUuid(consentId)) return null;
  const { sql } = database;
  const [row] = await sql<HeldConsent[]>`
    SELECT ${columns(database)} FROM link_consents
    WHERE consent_id = ${consentId} AND session_id = ${sessionId} AND expires_at > ${clock.now().toISOString()}`;
  return row ?? null;
}

/** Consents whose time to be confirmed is over, oldest first. */
export async function listExpiredConsents({ database, clock }: CustodyContext, limit: number): Promise<readonly HeldConsent[]> {
  const { sql } = database;
  return sql<HeldConsent[]>`
    SELECT ${columns(database)} FROM link_consents WHERE expires_at <= ${clock.now().toISOString()} ORDER BY expires_at LIMIT ${limit}`;
}

/** Throws what the cipher throws: the value was sealed with a key that is gone. */
export function openTokenResponse({ cipher }: Pick<CustodyContext, 'cipher'>, { consentId, tokenAnswer }: HeldConsent): TokenResponse {
  const answer = JSON.parse(cipher.open(tokenAnswer, consentSealContext(consentId))) as TokenResponse & {
    readonly tokens: { readonly expiresAt: string | null };
  };
  const { expiresAt } = answer.tokens;
  return { ...answer, tokens: { ...answer.tokens, expiresAt: expiresAt === null ? null : new Date(expiresAt) } };
}
