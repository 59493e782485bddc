import type { AccountFacts } from '@pulsewire/providers';
import type { LinkContext } from '../../context/context.ts';
import type { LinkSession } from '../session/session.ts';
import type { ExchangedGrant } from './grant.ts';

const accountTimeoutMs = 10_000;

interface KnownAccount {
  readonly provider_user_id: string;
  readonly account: Readonly<Record<string, unknown>>;
}

/** The account that the user is connected to, and what was learned of it. */
async function findKnown({ database }: LinkContext, session: LinkSession, provider: string): Promise<KnownAccount | undefined> {
  const [row] = await database.sql<KnownAccount[]>`
    SELECT provider_user_id, account FROM connections
    WHERE team_id = ${session.teamId} AND user_id = ${session.userId} AND provider = ${provider} AND provider_user_id IS NOT NULL`;
  return row;
}

/**
 * Whose tokens these are, and the facts that pulls need; also the place where a connector registers the user with the provider.
 * Of an account that is linked already the facts go on from what is known: where its clocks stood on past days is told only then.
 * Throws what the provider answers, but only when it is not known otherwise whose tokens these are: the code is spent, and facts
 * and registration can be had later, before the first pull.
 */
export async function fetchAccount(
  context: LinkContext,
  session: LinkSession,
  { connector, chosen, tokens, grantedScopes }: ExchangedGrant,
): Promise<AccountFacts> {
  const { accessToken, providerUserId } = tokens;
  const known = await findKnown(context, session, connector.slug);
  const signal = AbortSignal.timeout(accountTimeoutMs);
  const { application } = chosen;
  const ask = (previous: KnownAccount['account']) =>
    context.gate.account({ connector, accessToken, providerUserId, grantedScopes, application, previous, signal });
  try {
    let facts = await ask(known && known.provider_user_id === providerUserId ? known.account : {});
    // Some providers say only here whose tokens these are.
    if (known && providerUserId === null && known.provider_user_id === facts.providerUserId) facts = await ask(known.account);
    return { ...facts, providerUserId: providerUserId ?? facts.providerUserId };
  } catch (error) {
    if (providerUserId === null) throw error;
    context.logger.warn({ provider: connector.slug, error }, 'link.account_not_read');
    return { providerUserId, account: {} };
  }
}
