import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LinkContext } from '../../context/context.ts';
import { linkTokenLifeMs } from '../session/link-token.ts';

/** The cookie by which a browser is known that started a flow on our page. */
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

/** One cookie a session, so that two links in one browser do not disturb each other. */
export function browserCookieName(context: KeyContext, sessionId: string): string {
  return `${isSecure(context) ? '__Host-' : ''}link-${sessionId.slice(0, 8)}`;
}

/** A new key for the browser that is here now. It lives as long as a link token; scripts and other sites' forms never see or send it. */
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

/** Whether this is the value of a cookie that we gave to a browser for this session. */
export function isBrowserKey(context: KeyContext, sessionId: string, value: string | undefined): boolean {
  const [nonce, given, ...rest] = (value ?? '').slice(0, 200).split('.');
  return nonce !== undefined && given !== undefined && rest.length === 0 && isSame(given, mac(context, 'browser', sessionId, nonce));
}

/** What a form of ours carries so that no other site can send it: known only to whoever has read the page in this browser. */
export function formKey(context: KeyContext, cookieValue: string, purpose: string): string {
  return mac(context, 'form', cookieValue, purpose);
}

export function isFormKey(context: KeyContext, cookieValue: string, purpose: string, given: string | undefined): boolean {
  return isSame(given ?? '', formKey(context, cookieValue, purpose));
}
