import { linkableConnector } from '../applications.ts';
import type { LinkContext } from '../context.ts';
import { chooseRegion } from './choose-region.ts';
import { requestEmailLink } from './email/request-email-link.ts';
import type { LinkFailure, LinkRequested } from './link-outcome.ts';
import { inLinkTurn } from './link-turn.ts';
import { assertPinAllows } from './session.ts';
import { tryLink, type LinkTry } from './try-link.ts';

export interface EmailLink extends LinkTry {
  /** The user's address at the provider. */
  readonly email: string;
  /** `us`, `de`, …; null for the provider's default. */
  readonly region: string | null;
}

/**
 * Asks for a link by an e-mail address. There is no connection yet: an operator has the provider's practice invite the
 * address and confirms (`confirmEmailLink`). Errors as in `linkWithPassword`.
 */
export async function linkByEmail(context: LinkContext, link: EmailLink): Promise<LinkRequested | LinkFailure> {
  const { provider, email } = link;
  const { outcome } = await tryLink(context, link, (session) => {
    assertPinAllows(session, provider);
    const connector = linkableConnector(context, provider, 'email');
    const region = chooseRegion(connector.email.regions, link.region);
    return inLinkTurn(context, session, (turn) => requestEmailLink(context, turn, { connector, email, region }));
  });
  return outcome;
}
