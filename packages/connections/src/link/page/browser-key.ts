import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LinkContext } from '../../context/context.ts';
import { linkTokenLifeMs } from '../session/link-token.ts';

/** The cookie that identifies a browser which started a flow on our page. */
export interface BrowserCookie {
  readonly name: string;
  readonly value: string;
  /** The whole `Set-Cookie` header. */
  readonly header: string;
}

type KeyContext = Pick<LinkContext, 'linkTokenSecret' | 'linkWebUrl'>;

const nonceBytes = 18;
const mac = ({ linkTokenSecret }: KeyContext, ...parts: readonly string[]): string =>
  createHmac('sha256', linkTokenSecret).update(JSON.stringify(parts)).digest('base64url');

const isSecure = (context: KeyContext): boolean => new URL(context.linkWebUrl()).protocol === 'https:';

/** One cookie per session, so that two links in one browser do not interfere. */
export function browserCookieName(context: KeyContext, sessionId: string): string {
  return `${isSecure(context) ? '__Host-' : ''}link-${sessionId.slice(0, 8)}`;
}

/** A new key for the current browser, valid as long as a link token; scripts cannot read it, and forms of other sites do not send it. */
export function createBrowserCookie(context: KeyContext, sessionId: string): BrowserCookie {
  const nonce = randomBytes(nonceBytes).toString('base64url');
  const value = `${nonce}.${mac(context, 'browser', sessionId, nonce)}`;
  const name = browserCookieName(context, sessionId);
  const header = `${name}=${value}; Path=/; Max-Age=${linkTokenLifeMs / 1000}; HttpOnly; SameSite=Lax${isSecure(context) ? '; Secure' : ''}`;
  return { name, value, header };
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Whether this is the value of a cookie that we set for this session. */
export function isBrowserKey(context: KeyContext, sessionId: string, value: string | undefined): boolean {
  const [nonce, signature, ...rest] = (value ?? '').slice(0, 200).split('.');
  return (
    nonce !== undefined && signature !== undefined && rest.length === 0 && isSame(signature, mac(context, 'browser', sessionId, nonce))
  );
}

/** CSRF token of our forms: known only to a page that was loaded in this browser. */
export function formKey(context: KeyContext, cookieValue: string, purpose: string): string {
  return mac(context, 'form', cookieValue, purpose);
}

export function isFormKey(context: KeyContext, cookieValue: string, purpose: string, given: string | undefined): boolean {
  return isSame(given ?? '', formKey(context, cookieValue, purpose));
}
