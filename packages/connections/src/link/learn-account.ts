import type { AccountFacts } from '@pulsewire/providers';
import type { LinkContext } from '../context.ts';
import type { ExchangedGrant } from './grant.ts';

const accountTimeoutMs = 10_000;

/**
 * Whose tokens these are, and the facts that pulls need; also the place where a connector registers the user with the provider.
 * Throws what the provider answers, but only when it is not known otherwise whose tokens these are: the code is spent, and facts
 * and registration can be had later, before the first pull.
 */
export async function learnAccount(
  context: LinkContext,
  { connector, chosen, tokens, grantedScopes }: ExchangedGrant,
): Promise<AccountFacts> {
  const { accessToken, providerUserId } = tokens;
  try {
    const facts = await context.gate.account({
      connector,
      accessToken,
      providerUserId,
      grantedScopes,
      application: chosen.application,
      signal: AbortSignal.timeout(accountTimeoutMs),
    });
    return { ...facts, providerUserId: providerUserId ?? facts.providerUserId };
  } catch (error) {
    if (providerUserId === null) throw error;
    context.logger.warn({ provider: connector.slug, error }, 'link.account_not_read');
    return { providerUserId, account: {} };
  }
}
