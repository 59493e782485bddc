import { parseJson } from '@pulsewire/kernel';
import { JsonNode, UnreadableError } from '../values/json-node.ts';
import type { OAuthSettings, TokenFieldNames, TokenSet } from '../types/connector.ts';

const plainFields: TokenFieldNames = {
  accessToken: 'access_token',
  refreshToken: 'refresh_token',
  expiresIn: 'expires_in',
  scope: 'scope',
};

function readScopes(node: JsonNode, separator: string | null): readonly string[] | null {
  if (node.isMissing) return null;
  const names = Array.isArray(node.value) ? node.items().map((item) => item.text()) : node.text().split(separator ?? ' ');
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

/** The payload of a JWT; a missing node for anything else. */
export function claimsOf(token: unknown): JsonNode {
  const [, payload = ''] = typeof token === 'string' ? token.split('.') : [];
  return new JsonNode(parseJson(Buffer.from(payload, 'base64url')));
}

function readUserId(body: JsonNode, { userIdPath: path, idTokenClaim: claim }: OAuthSettings): string | null {
  if (claim !== undefined)
    return claimsOf(body.at('id_token').value)
      .at(claim)
      .optional((node) => node.id());
  if (path === undefined) return null;
  return path.reduce((node, key) => node.at(key), body).optional((node) => node.id());
}

/**
 * Parses a token response; undefined when it contains no readable tokens. `previousRefreshToken` is kept when the response
 * contains no new one, which means that the old one remains valid.
 */
export function parseTokenResponse(
  body: unknown,
  settings: OAuthSettings,
  now: Date,
  previousRefreshToken: string | null = null,
): TokenSet | undefined {
  const names = settings.tokenFields ?? plainFields;
  const root = (settings.tokenPath ?? []).reduce((node, key) => node.at(key), new JsonNode(body));
  try {
    const expiresInSeconds = root.at(names.expiresIn).optional((node) => node.amount());
    const refreshToken = root.at(names.refreshToken).optional((node) => node.text());
    return {
      accessToken: root.at(names.accessToken).id(),
      refreshToken: refreshToken === null || refreshToken === '' ? previousRefreshToken : refreshToken,
      expiresAt: expiresInSeconds === null ? null : new Date(now.getTime() + expiresInSeconds * 1000),
      scopes: settings.grantedScopesIn === 'account' ? null : readScopes(root.at(names.scope), settings.scopeSeparator),
      providerUserId: readUserId(root, settings),
    };
  } catch (error) {
    if (error instanceof UnreadableError) return undefined;
    throw error;
  }
}

/**
 * The error code of an OAuth endpoint, for example `invalid_grant`. Read from RFC 6749's `error`, or from the list of
 * `errors` that some providers send instead; null when the response has neither.
 */
export function oauthErrorOf(body: unknown): string | null {
  const root = new JsonNode(body);
  const error = root.at('error').value;
  if (typeof error === 'string') return error;
  const errors = root.at('errors').value;
  const first = Array.isArray(errors) ? new JsonNode(errors[0]).at('errorType').value : null;
  return typeof first === 'string' ? first : null;
}

/**
 * The error code of a token endpoint that returned no tokens: the provider's own format first (`isOwn`: valid with any
 * status), otherwise RFC 6749.
 */
export function tokenErrorOf(
  response: { readonly status: number; readonly body: unknown },
  settings: OAuthSettings,
): { readonly error: string | null; readonly isOwn: boolean } {
  const own = settings.readTokenError?.(response) ?? null;
  return own === null ? { error: oauthErrorOf(response.body), isOwn: false } : { error: own, isOwn: true };
}
