import { AppError } from '@pulsewire/kernel';
import { authenticateKey, type Team } from '@pulsewire/connections';
import type { Executor } from '@pulsewire/database';
import type { ApiSettings } from '../context.ts';
import type { Auth } from './route.ts';

const unauthorized = (message: string) => new AppError({ code: 'key_invalid', kind: 'unauthorized', message });

/**
 * The team of a request (contract 2). Throws AppError `key_invalid` when a key is needed and missing, unknown or revoked.
 * A link endpoint may do without a key when the switch says so; its handler checks the link token.
 */
export async function authenticate(
  executor: Executor,
  settings: Pick<ApiSettings, 'linkTokenAloneAllowed'>,
  auth: Auth,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Promise<Team | null> {
  if (auth === 'none') return null;
  const key = headers['x-service-api-key'];
  const isTokenEnough = auth === 'link' && settings.linkTokenAloneAllowed && typeof headers['x-service-link-token'] === 'string';
  if (key === undefined && isTokenEnough) return null;
  if (typeof key !== 'string' || key === '') throw unauthorized('The header x-service-api-key is missing');
  const team = await authenticateKey(executor, key);
  if (!team) throw unauthorized('The API key is not valid');
  return team;
}
