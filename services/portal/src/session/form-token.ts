import { createHmac, timingSafeEqual } from 'node:crypto';

/** Proves that a form was part of a page of this session. Another site can neither read it nor guess it. */
export interface FormTokens {
  of(sessionId: string): string;
  isValid(sessionId: string, token: string | undefined): boolean;
}

export function createFormTokens(secret: string): FormTokens {
  const of = (sessionId: string) => createHmac('sha256', secret).update(`pulsewire portal form ${sessionId}`).digest('base64url');
  return {
    of,
    isValid(sessionId, token) {
      const [given, expected] = [Buffer.from(token ?? ''), Buffer.from(of(sessionId))];
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/** Whether a browser says that a request came from our own page. Browsers that say nothing are decided by the token and the cookie alone. */
export function isFromOwnPage(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  const site = headers['sec-fetch-site'];
  if (typeof site === 'string') return site === 'same-origin';
  const { origin, host } = headers;
  return typeof origin !== 'string' || (URL.canParse(origin) && new URL(origin).host === host);
}
