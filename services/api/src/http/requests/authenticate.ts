import { AppError, type Clock } from '@pulsewire/kernel';
import { authenticateKey, type AuthenticatedKey } from '@pulsewire/connections';
import type { Executor } from '@pulsewire/database';
import type { ApiSettings } from '../../context/context.ts';
import type { FailedKeys } from '../../limits/failed-keys.ts';
import type { Auth } from '../../route/route.ts';

const unauthorized = (message: string) => new AppError({ code: 'key_invalid', kind: 'unauthorized', message });

export interface Credentials {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The caller's address, as reported by trusted proxies; null when they reported none. */
  readonly address: string | null;
}

/**
 * Authenticates the caller. Throws AppError `key_invalid` (401) when a required key is missing, unknown, expired or revoked, and `key_address_refused`
 * (403) when it may not be used from the caller's address; `too_many_failed_keys` (429) instead of 401 after many unknown keys
 * from that address. A link endpoint may be called without a key if the setting allows it; its handler
 * checks the link token.
 */
export async function authenticate(
  {
    database,
    clock,
    settings,
    failedKeys,
  }: {
    readonly database: Executor;
    readonly clock: Clock;
    readonly settings: Pick<ApiSettings, 'linkTokenAloneAllowed'>;
    readonly failedKeys: FailedKeys;
  },
  auth: Auth,
  { headers, address }: Credentials,
): Promise<AuthenticatedKey | null> {
  if (auth === 'none') return null;
  const key = headers['x-service-api-key'];
  const isTokenEnough = auth === 'link' && settings.linkTokenAloneAllowed && typeof headers['x-service-link-token'] === 'string';
  if (key === undefined && isTokenEnough) return null;
  if (typeof key !== 'string' || key === '') throw unauthorized('The header x-service-api-key is missing');
  const known = await authenticateKey(database, clock, key, address);
  if (!known) throw (await failedKeys.refusal(address)) ?? unauthorized('The API key is not valid');
  if (!known.isAddressAllowed)
    throw new AppError({ code: 'key_address_refused', kind: 'forbidden', message: 'The API key may not be used from this address' });
  return known;
}
