/** The cookies of one sign-in, which stays on the provider's own hosts. */
export interface CookieJar {
  /** `path`: of the call whose response sets them. */
  keep(setCookie: string | undefined, path: string): void;
  /** The `cookie` header of a call to this path; empty without cookies. */
  header(path: string): Readonly<Record<string, string>>;
  /** The value that is sent to this path. */
  value(name: string, path: string): string | null;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** Several `set-cookie` headers are joined by commas, which dates contain too: a new one begins with a name. */
const betweenCookies = /,\s*(?=[^;,=\s]+=)/;
const cookiesMax = 100;

/** The folder of the call (RFC 6265, 5.1.4). */
function defaultPath(path: string): string {
  const end = path.lastIndexOf('/');
  return end <= 0 ? '/' : path.slice(0, end);
}

function isSentTo(path: string, cookie: Cookie): boolean {
  const folder = cookie.path.endsWith('/') ? cookie.path : `${cookie.path}/`;
  return path === cookie.path || path.startsWith(folder);
}

function readCookie(text: string, path: string): Cookie | undefined {
  const [pair = '', ...attributes] = text.split(';');
  const equals = pair.indexOf('=');
  if (equals <= 0) return undefined;
  const stated = attributes.map((attribute) => /^\s*path\s*=\s*(\/[^\s]*)\s*$/i.exec(attribute)?.[1]).find((value) => value !== undefined);
  return { name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim(), path: stated ?? defaultPath(path) };
}

/**
 * Remembers names, values and paths; a sign-in is too short for lifetimes. Several cookies of one name may have different paths. Hosts are not
 * distinguished, so no list of public suffixes is needed, which is most of the weight of a cookie library.
 */
export function createCookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>();
  // The longest path first.
  const sentTo = (path: string) =>
    [...cookies.values()].filter((cookie) => isSentTo(path, cookie)).toSorted((a, b) => b.path.length - a.path.length);
  return {
    keep(setCookie = '', path) {
      for (const text of setCookie.split(betweenCookies)) {
        const cookie = readCookie(text, path);
        if (cookie && cookies.size < cookiesMax) cookies.set(`${cookie.name} ${cookie.path}`, cookie);
      }
    },
    header(path) {
      const sent = sentTo(path);
      return sent.length === 0 ? {} : { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') };
    },
    value: (name, path) => sentTo(path).find((cookie) => cookie.name === name)?.value ?? null,
  };
}
