import type { LinkContext } from '../context.ts';

/**
 * What the provider's redirect brought: it goes with the browser, sealed, to the page that asks for confirmation, and is kept nowhere. So
 * nobody can confirm it but the browser that the provider sent back.
 */
export interface PendingConsent {
  readonly provider: string;
  readonly code: string;
  readonly scope: string | null;
  readonly until: string;
}

/** As long as authorization codes usually live. */
export const consentLifeMs = 10 * 60_000;

const consentContext = (sessionId: string): string => `link_consent:${sessionId}`;
// Twice the longest code that a callback takes, sealed.
const lengthMax = 12_000;

export function sealConsent(context: LinkContext, sessionId: string, consent: Omit<PendingConsent, 'until'>): string {
  const until = new Date(context.clock.now().getTime() + consentLifeMs).toISOString();
  const sealed = context.cipher.seal(JSON.stringify({ ...consent, until }), consentContext(sessionId));
  return sealed.toString('base64url');
}

/** Null for anything that we did not seal for this session, and for what is too old. */
export function openConsent(context: LinkContext, sessionId: string, text: string | undefined): PendingConsent | null {
  if (text === undefined || text.length > lengthMax || !/^[\w-]+$/.test(text)) return null;
  try {
    const consent = JSON.parse(context.cipher.open(Buffer.from(text, 'base64url'), consentContext(sessionId))) as PendingConsent;
    return Date.parse(consent.until) > context.clock.now().getTime() ? consent : null;
  } catch {
    return null;
  }
}
