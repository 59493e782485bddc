import type { LoginHttp, LoginRequest, LoginResponse } from '../types/http.ts';
import { createCookieJar, type CookieJar } from './cookies.ts';

const redirectsMax = 8;

/** A response and the address that sent it. */
export interface Step {
  readonly url: string;
  readonly response: LoginResponse;
}

/** Calls that share the cookies of one sign-in. */
export interface Browser {
  readonly jar: CookieJar;
  /** The value of a cookie that is sent to this path. */
  cookie(name: string, path: string): string | null;
  /** A redirect is returned as a response, because cookies come with it. */
  send(request: LoginRequest): Promise<Step>;
  /** Follows redirects until one satisfies `isEnd`, or a response is not a redirect. */
  follow(from: Step, isEnd: (location: URL) => boolean): Promise<Step & { readonly end: URL | null }>;
}

/** What precedes `path` in the path of an address. */
const folderOf = (whole: string, path: string): string => (whole.endsWith(path) ? whole.slice(0, -path.length) : '');

export const isRedirect = ({ status, headers }: LoginResponse): boolean =>
  status >= 300 && status < 400 && headers['location'] !== undefined;

/** A sign-in at a provider's web site, whose paths are below the address of `region`. */
export function createBrowser(http: LoginHttp, region: string, baseUrl: string, jar: CookieJar = createCookieJar()): Browser {
  // Of the address that responds, which a simulator or a proxy may have below another path.
  let folder = folderOf(new URL(baseUrl).pathname, '/');

  function pathOf(path: string): string {
    return path.startsWith('/') ? `${folder}${new URL(path, baseUrl).pathname}` : new URL(path).pathname;
  }

  async function send(request: LoginRequest): Promise<Step> {
    const path = pathOf(request.path);
    const headers = { accept: 'text/html,application/json', ...request.headers, ...jar.header(path) };
    const response = await http.send({ ...request, region, headers, keepsRedirects: true });
    const reached = response.url === undefined ? path : new URL(response.url).pathname;
    if (request.path.startsWith('/')) folder = folderOf(reached, new URL(request.path, baseUrl).pathname);
    jar.keep(response.headers['set-cookie'], reached);
    return { url: response.url ?? baseUrl, response };
  }

  return {
    jar,
    cookie: (name, path) => jar.value(name, pathOf(path)),
    send,
    async follow(from, isEnd) {
      let step = from;
      for (let hops = 0; hops < redirectsMax && isRedirect(step.response); hops++) {
        const location = new URL(step.response.headers['location'] ?? '', step.url);
        if (isEnd(location)) return { ...step, end: location };
        step = await send({ method: 'GET', path: location.toString() });
      }
      return { ...step, end: null };
    },
  };
}
