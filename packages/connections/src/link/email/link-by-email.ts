import type { LinkContext } from '../../context/context.ts';
import { linkableConnector } from '../../context/find-connector.ts';
import { chooseRegion } from '../connect/choose-region.ts';
import { requestEmailLink } from './request-email-link.ts';
import { attemptLink, type LinkAttempt } from '../session/attempt-link.ts';
import { withLinkLock } from '../session/link-lock.ts';
import type { LinkFailure, LinkRequested } from '../session/link-outcome.ts';
import { assertPinAllows } from '../session/session.ts';

export interface EmailLink extends LinkAttempt {
  /** The user's address at the provider. */
  readonly email: string;
  /** `us`, `de`, …; null for the provider's default. */
  readonly region: string | null;
}

/**
 * Requests a link by e-mail address. The connection is created later: an operator lets the provider's practice invite the address and then
 * confirms (`confirmEmailLink`). Errors as in `linkWithPassword`.
 */
export async function linkByEmail(context: LinkContext, link: EmailLink): Promise<LinkRequested | LinkFailure> {
  const { provider, email } = link;
  const { outcome } = await attemptLink(context, link, (session) => {
    assertPinAllows(session, provider);
    const connector = linkableConnector(context, provider, 'email');
    const region = chooseRegion(connector.email.regions, link.region);
    return withLinkLock(context, session, (lock) => requestEmailLink(context, lock, { connector, email, region }));
  });
  return outcome;
}
