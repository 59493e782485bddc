/** The cookies of one sign-in, which stays on the provider's own hosts. */
export interface CookieJar {
  keep(setCookie: string | undefined): void;
  /** The `cookie` header; empty without cookies. */
  header(): Readonly<Record<string, string>>;
  value(name: string): string | null;
}

/** Several `set-cookie` headers are joined by commas, which dates contain too: a new one begins with a name. */
const betweenCookies = /,\s*(?=[^;,=\s]+=)/;

/** Remembers names and values; a sign-in is too short for lifetimes, and paths only save bytes. */
export function createCookieJar(): CookieJar {
  const cookies = new Map<string, string>();
  return {
    keep(setCookie = '') {
      for (const text of setCookie.split(betweenCookies)) {
        const [pair = ''] = text.split(';');
        const equals = pair.indexOf('=');
        if (equals > 0) cookies.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
      }
    },
    header: () => (cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
    value: (name) => cookies.get(name) ?? null,
  };
}
