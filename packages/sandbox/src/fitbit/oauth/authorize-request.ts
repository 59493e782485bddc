import { FitbitError } from '../errors.ts';
import { scopes as knownScopes, type ApplicationSpec } from '../types.ts';

export interface AuthorizeRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly challenge: string | undefined;
  readonly state: string | undefined;
  /** All of the above as they came, for the form to send again. */
  readonly parameters: Readonly<Record<string, string>>;
}

export type ParsedAuthorize =
  | { readonly outcome: 'ok'; readonly request: AuthorizeRequest }
  /** The application is told by a redirect. */
  | { readonly outcome: 'refused'; readonly location: string };

const parameterNames = ['response_type', 'client_id', 'redirect_uri', 'scope', 'code_challenge', 'code_challenge_method', 'state'];

/** Reads the parameters of the authorization page. Throws 400 when application or redirect URI are unknown: then nobody may be redirected. */
export function parseAuthorize(parameters: URLSearchParams, applications: ReadonlyMap<string, ApplicationSpec>): ParsedAuthorize {
  const get = (name: string) => parameters.get(name) ?? undefined;
  const application = applications.get(get('client_id') ?? '');
  if (!application) throw new FitbitError(400, 'invalid_client', 'Unknown client_id');
  const redirectUri = get('redirect_uri') ?? (application.redirectUris.length === 1 ? application.redirectUris[0] : undefined);
  if (redirectUri === undefined || !application.redirectUris.includes(redirectUri)) {
    throw new FitbitError(400, 'invalid_request', 'The redirect_uri is not one of the application');
  }
  const refused = (error: string, description: string) =>
    ({ outcome: 'refused', location: redirectTo(redirectUri, { error, error_description: description, state: get('state') }) }) as const;

  if (get('response_type') !== 'code') return refused('unsupported_response_type', 'response_type must be code');
  const challenge = get('code_challenge');
  if (challenge !== undefined && get('code_challenge_method') !== 'S256')
    return refused('invalid_request', 'code_challenge_method must be S256');
  const scopes = (get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (scopes.length === 0 || scopes.some((scope) => !(knownScopes as readonly string[]).includes(scope)))
    return refused('invalid_scope', 'Unknown or no scope');
  const kept = parameterNames.flatMap((name) => (get(name) === undefined ? [] : [[name, get(name) as string] as const]));
  return {
    outcome: 'ok',
    request: {
      clientId: application.clientId,
      redirectUri,
      scopes: [...new Set(scopes)],
      challenge,
      state: get('state'),
      parameters: Object.fromEntries(kept),
    },
  };
}

/** The redirect URI with parameters added; those without a value are left out. */
export function redirectTo(redirectUri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.toString();
}
