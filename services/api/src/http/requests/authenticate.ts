import { AppError, isAppError, type Clock } from '@pulsewire/kernel';
import { authenticateKey, findApiKey, type AuthenticatedKey } from '@pulsewire/connections';
import type { Executor } from '@pulsewire/database';
import type { ApiSettings } from '../../context/context.ts';
import type { FailedKeys } from '../../limits/failed-keys.ts';
import type { Auth } from '../../route/route.ts';

/** Whose key was refused, as far as it is known: for the log, never for the client. */
export interface RefusedKey {
  readonly teamId: string;
  readonly keyId: string;
}

const unauthorized = (message: string, details: Partial<RefusedKey> = {}) =>
  new AppError({ code: 'key_invalid', kind: 'unauthorized', message, details });

/** Whose key an error refuses. */
export function refusedKeyOf(error: unknown): Partial<RefusedKey> {
  return isAppError(error) && (error.code === 'key_invalid' || error.code === 'key_address_refused') ? error.details : {};
}

/** An expired or revoked key, or one of a deleted team, has an owner although it is no longer valid. */
async function invalidKey(database: Executor, key: string): Promise<AppError> {
  const found = await findApiKey(database, key);
  return unauthorized('The API key is not valid', found === null ? {} : { teamId: found.teamId, keyId: found.keyId });
}

export interface Credentials {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The caller's address, as reported by trusted proxies; null when they reported none. */
  readonly address: string | null;
}

interface AuthenticateContext {
  readonly database: Executor;
  readonly clock: Clock;
  readonly settings: Pick<ApiSettings, 'linkTokenAloneAllowed'>;
  readonly failedKeys: FailedKeys;
}

const isBearer = (value: unknown): value is string => typeof value === 'string' && /^bearer /i.test(value);

/** Older iPhone SDKs send the token without the word Bearer after they have renewed it. */
const hasPhoneToken = ({ authorization, 'x-open-wearables-api-key': key }: Credentials['headers']) =>
  isBearer(authorization) || (key === undefined && typeof authorization === 'string' && authorization !== '');

/** The access token of a phone, with the word Bearer or without. */
export const phoneTokenOf = ({ authorization }: Credentials['headers']): string =>
  String(authorization)
    .replace(/^bearer /i, '')
    .trim();

/**
 * The owner of an API key. Throws AppError `key_invalid` (401) when it is unknown, expired or revoked, `too_many_failed_keys` (429) instead
 * after many unknown keys from this address, and `key_address_refused` (403) when it may not be used from this address.
 */
export async function authenticateTeam(
  { database, clock, failedKeys }: Pick<AuthenticateContext, 'database' | 'clock' | 'failedKeys'>,
  key: string,
  address: string | null,
): Promise<AuthenticatedKey> {
  const known = await authenticateKey(database, clock, key, address);
  if (!known) throw (await failedKeys.refusal(address)) ?? (await invalidKey(database, key));
  if (known.isAddressAllowed) return known;
  throw new AppError({
    code: 'key_address_refused',
    kind: 'forbidden',
    message: 'The API key may not be used from this address',
    details: { teamId: known.team.teamId, keyId: known.keyId } satisfies RefusedKey,
  });
}

/**
 * Authenticates the key in the headers of a request. Throws AppError `key_invalid` (401) when a required key is missing, and the errors of
 * `authenticateTeam`. Null: the credential is a phone's access token, or the handler checks it: a link token (if the setting allows it
 * alone), or one in the body.
 */
export async function authenticate(
  context: AuthenticateContext,
  auth: Auth,
  { headers, address }: Credentials,
): Promise<AuthenticatedKey | null> {
  if (auth === 'none' || auth === 'app') return null;
  if (auth === 'phone' && hasPhoneToken(headers)) return null;
  const name = auth === 'phone' ? 'x-open-wearables-api-key' : 'x-service-api-key';
  const key = headers[name];
  const isTokenEnough = auth === 'link' && context.settings.linkTokenAloneAllowed && typeof headers['x-service-link-token'] === 'string';
  if (key === undefined && isTokenEnough) return null;
  if (typeof key !== 'string' || key === '')
    throw unauthorized(auth === 'phone' ? `A bearer token or the header ${name} is missing` : `The header ${name} is missing`);
  return authenticateTeam(context, key, address);
}
