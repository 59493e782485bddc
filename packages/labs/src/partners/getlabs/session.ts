import type { Clock } from '@pulsewire/kernel';
import type { HttpClient, HttpRequest, HttpResponse } from '@pulsewire/outbound';
import { partnerRefused, partnerSlotGone } from '../kit/partner-errors.ts';
import { partnerUnavailable, sendToPartner } from '../kit/partner-http.ts';
import type { GetlabsSettings } from './settings.ts';
import { signAssertion } from './sign-assertion.ts';

const name = 'Getlabs';

interface Tokens {
  readonly access: string;
  readonly refresh: string | null;
}

type Call = Pick<HttpRequest, 'method' | 'query' | 'json' | 'headers'> & { readonly path: string; readonly signal: AbortSignal };

export interface GetlabsSession {
  /**
   * The body of a response; null for 404. Throws AppErrors `partner_refused`, `partner_slot_gone`, `partner_unavailable`,
   * `partner_timeout`.
   */
  call(call: Call): Promise<unknown>;
}

function textOf(body: unknown, field: string): string | null {
  const value = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>)[field] : undefined;
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Makes calls with an access token that each process fetches on demand and renews when it is refused. */
export function createGetlabsSession(settings: GetlabsSettings, http: HttpClient, clock: Clock | { now(): Date }): GetlabsSession {
  const { baseUrl } = settings;
  let tokens: Promise<Tokens> | null = null;

  async function send(request: Call, headers: Readonly<Record<string, string>>): Promise<HttpResponse> {
    const { path, ...rest } = request;
    const url = `${baseUrl.replace(/\/+$/, '')}${path}`;
    return sendToPartner(http, name, { ...rest, url, headers: { ...rest.headers, ...headers } });
  }

  async function fetchTokens(json: object, signal: AbortSignal): Promise<Tokens | null> {
    const { status, body, headers } = await send({ method: 'POST', path: '/oauth/token', json, signal }, {});
    if (status === 429 || status >= 500) throw partnerUnavailable(name, status, headers['retry-after']);
    const access = textOf(body, 'access_token');
    return status < 300 && access !== null ? { access, refresh: textOf(body, 'refresh_token') } : null;
  }

  async function signIn(refresh: string | null, signal: AbortSignal): Promise<Tokens> {
    const renewed = refresh === null ? null : await fetchTokens({ grant_type: 'refresh_token', refresh_token: refresh }, signal);
    if (renewed !== null) return renewed;
    const assertion = await signAssertion(settings, clock.now());
    const fresh = await fetchTokens({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }, signal);
    // An operator has to correct wrong settings; bookings wait for that until their deadline.
    if (fresh === null) throw partnerUnavailable(name, 401, undefined);
    return fresh;
  }

  /** Signs in once for all waiting callers. `used`: the refused tokens. */
  async function tokensFor(used: Tokens | null, signal: AbortSignal): Promise<Tokens> {
    const known = tokens && (await tokens.catch(() => null));
    if (known !== null && known !== used) return known;
    const signing = signIn(used?.refresh ?? null, signal);
    tokens = signing;
    signing.catch(() => tokens === signing && (tokens = null));
    return signing;
  }

  return {
    async call(call) {
      let used: Tokens | null = null;
      for (let attempt = 1; ; attempt++) {
        used = await tokensFor(used, call.signal);
        const { status, body, headers } = await send(call, { authorization: `Bearer ${used.access}` });
        if (status === 401 && attempt === 1) continue;
        if (status < 300) return body;
        if (status === 404) return null;
        if (status === 409) throw partnerSlotGone();
        if (status === 401 || status === 408 || status === 429 || status >= 500)
          throw partnerUnavailable(name, status, headers['retry-after']);
        throw partnerRefused('Getlabs refused the call');
      }
    },
  };
}
