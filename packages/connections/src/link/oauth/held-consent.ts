import { createHmac, randomUUID } from 'node:crypto';
import { and, eq, gt, lte } from 'drizzle-orm';
import { isUuid } from '@pulsewire/kernel';
import { run } from '@pulsewire/database';
import type { TokenSet } from '@pulsewire/providers';
import type { CustodyContext, LinkContext } from '../../context/context.ts';
import { consentSealContext } from '../../model/seal-contexts.ts';
import { linkConsents } from '../../model/tables.ts';
import type { LinkLock } from '../session/link-lock.ts';
import type { ExchangedGrant } from './grant.ts';

/** How long a user may take to confirm. */
export const consentLifeMs = 10 * 60_000;

/** The encrypted token response of a provider for a link that is not confirmed yet. */
export interface HeldConsent {
  readonly consentId: string;
  readonly sessionId: string;
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  readonly providerUserId: string | null;
  readonly application: 'team' | 'platform';
  readonly tokenResponse: Buffer;
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

const heldColumns = {
  consentId: linkConsents.consentId,
  sessionId: linkConsents.sessionId,
  teamId: linkConsents.teamId,
  userId: linkConsents.userId,
  provider: linkConsents.provider,
  providerUserId: linkConsents.providerUserId,
  application: linkConsents.application,
  tokenResponse: linkConsents.tokenResponse,
};

/** The id of the consent that is already held for this code: the callback was loaded again. */
export async function findConsentOfCode(context: LinkContext, { session }: LinkLock, code: string): Promise<string | null> {
  const isOfCode = and(
    eq(linkConsents.sessionId, session.sessionId),
    eq(linkConsents.codeHash, codeHash(context, session, code)),
    gt(linkConsents.expiresAt, context.clock.now()),
  );
  const [row] = await run(context.database.orm.select({ id: linkConsents.consentId }).from(linkConsents).where(isOfCode));
  return row?.id ?? null;
}

/** Holds a grant until the user confirms; returns an id that only the browser that returned from the provider receives. */
export async function holdConsent(context: LinkContext, { session }: LinkLock, grant: ExchangedGrant, code: string): Promise<string> {
  const consentId = randomUUID();
  const { sessionId, teamId, userId } = session;
  const { connector, application, tokens, providerUserId, grantedScopes } = grant;
  const now = context.clock.now();
  const response: TokenResponse = { tokens, grantedScopes };
  // Tokens that expire before they are confirmed are useless.
  const expiresAt = new Date(Math.min(now.getTime() + consentLifeMs, tokens.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY));
  await run(
    context.database.orm.insert(linkConsents).values({
      consentId,
      sessionId,
      teamId,
      userId,
      provider: connector.slug,
      providerUserId,
      application,
      codeHash: codeHash(context, session, code),
      tokenResponse: context.cipher.seal(JSON.stringify(response), consentSealContext(consentId)),
      createdAt: now,
      expiresAt,
    }),
  );
  return consentId;
}

/** A consent of this session that can still be confirmed. */
export async function findHeldConsent(
  { database, clock }: CustodyContext,
  sessionId: string,
  consentId: string | undefined,
): Promise<HeldConsent | null> {
  if (consentId === undefined || !isUuid(consentId)) return null;
  const isHeld = and(eq(linkConsents.consentId, consentId), eq(linkConsents.sessionId, sessionId), gt(linkConsents.expiresAt, clock.now()));
  const [row] = await run(database.orm.select(heldColumns).from(linkConsents).where(isHeld));
  return row ?? null;
}

/** Consents that were not confirmed in time, oldest first. */
export async function listExpiredConsents({ database, clock }: CustodyContext, limit: number): Promise<readonly HeldConsent[]> {
  const { expiresAt } = linkConsents;
  return run(database.orm.select(heldColumns).from(linkConsents).where(lte(expiresAt, clock.now())).orderBy(expiresAt).limit(limit));
}

/** Decrypts the token response. Throws what the cipher throws, for a value that was encrypted with a lost key. */
export function openTokenResponse({ cipher }: Pick<CustodyContext, 'cipher'>, { consentId, tokenResponse }: HeldConsent): TokenResponse {
  const response = JSON.parse(cipher.open(tokenResponse, consentSealContext(consentId))) as TokenResponse & {
    readonly tokens: { readonly expiresAt: string | null };
  };
  const { expiresAt } = response.tokens;
  return { ...response, tokens: { ...response.tokens, expiresAt: expiresAt === null ? null : new Date(expiresAt) } };
}
