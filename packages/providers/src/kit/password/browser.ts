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
  /** A redirect is returned as a response, because cookies come with it. */
  send(request: LoginRequest): Promise<Step>;
  /** Follows redirects until one satisfies `isEnd`, or a response is not a redirect. */
  follow(from: Step, isEnd: (location: URL) => boolean): Promise<Step & { readonly end: URL | null }>;
}

export const isRedirect = ({ status, headers }: LoginResponse): boolean =>
  status >= 300 && status < 400 && headers['location'] !== undefined;

/** A sign-in at a provider's web site, whose paths are below the address of `region`. */
export function createBrowser(http: LoginHttp, region: string, baseUrl: string, jar: CookieJar = createCookieJar()): Browser {
  async function send(request: LoginRequest): Promise<Step> {
    const headers = { accept: 'text/html,application/json', ...request.headers, ...jar.header() };
    const response = await http.send({ ...request, region, headers, keepsRedirects: true });
    jar.keep(response.headers['set-cookie']);
    return { url: response.url ?? baseUrl, response };
  }

  return {
    jar,
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
