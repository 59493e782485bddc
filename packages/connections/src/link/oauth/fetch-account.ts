import { run } from '@pulsewire/database';
import type { AccountFacts } from '@pulsewire/providers';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { LinkContext } from '../../context/context.ts';
import type { ExchangedGrant } from './grant.ts';
import type { LinkSession } from '../session/session.ts';
import { connections } from '../../model/tables.ts';
import { reportConfigurationFault } from '../../providers/report-configuration-fault.ts';

const accountTimeoutMs = 10_000;

interface KnownAccount {
  readonly providerUserId: string | null;
  readonly account: Readonly<Record<string, unknown>>;
}

/** The account that the user is connected to, with its stored facts. */
async function findKnown({ database }: LinkContext, session: LinkSession, provider: string): Promise<KnownAccount | undefined> {
  const { teamId, userId, providerUserId, account } = connections;
  const ofUser = and(eq(teamId, session.teamId), eq(userId, session.userId), eq(connections.provider, provider));
  const [row] = await run(
    database.orm
      .select({ providerUserId, account })
      .from(connections)
      .where(and(ofUser, isNotNull(providerUserId))),
  );
  return row;
}

/**
 * Fetches the account of the tokens and the facts that pulls need; connectors also register the user with the provider here. For an account
 * that is linked already the stored facts are passed on, because the zones of past days are known only from then.
 * Throws the provider's error only when the account is unknown otherwise: the code cannot be exchanged again, and facts and registration
 * can be fetched later, before the first pull.
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
    let facts = await ask(known && known.providerUserId === providerUserId ? known.account : {});
    // Some providers name the account only here.
    if (known && providerUserId === null && known.providerUserId === facts.providerUserId) facts = await ask(known.account);
    return { ...facts, providerUserId: providerUserId ?? facts.providerUserId };
  } catch (error) {
    if (providerUserId === null) throw error;
    reportConfigurationFault(context, connector.slug, error);
    context.logger.warn({ provider: connector.slug, error }, 'link.account_read_failed');
    return { providerUserId, account: {} };
  }
}
