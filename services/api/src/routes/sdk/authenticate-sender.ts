import { allowsScope, authenticateKey, getUser } from '@pulsewire/connections';
import { authenticatePhone } from '@pulsewire/intake';
import { AppError } from '@pulsewire/kernel';
import type { OpenContext } from '../../context/context.ts';
import type { RawRequest } from '../../context/raw-request.ts';

/** The sender of data, and the user it belongs to. */
export interface Sender {
  readonly teamId: string;
  readonly userId: string;
}

const unauthorized = (message: string) => new AppError({ code: 'phone_token_invalid', kind: 'unauthorized', message });
const forbidden = (message: string) => new AppError({ code: 'phone_token_foreign', kind: 'forbidden', message });

/**
 * The sender of data of `userId`: a phone by its access token, or a trusted app by the team's API key. Throws AppError
 * `phone_token_invalid` (401) without a valid one, `phone_token_foreign` (403) for the token of another user or a key that may not write,
 * and `user_not_found`.
 */
export async function authenticateSender(context: OpenContext, headers: RawRequest['headers'], userId: string): Promise<Sender> {
  const { database, clock, phone } = context;
  const { authorization, 'x-open-wearables-api-key': apiKey } = headers;
  if (typeof authorization === 'string' && /^bearer /i.test(authorization)) {
    const claims = await authenticatePhone(phone.tokens, authorization.slice('bearer '.length).trim());
    if (claims.userId !== userId) throw forbidden('The token belongs to another user');
    await getUser(database, claims.teamId, userId);
    return { teamId: claims.teamId, userId };
  }
  if (typeof apiKey !== 'string' || apiKey === '') throw unauthorized('A bearer token or the header X-Open-Wearables-API-Key is needed');
  const key = await authenticateKey(database, clock, apiKey, null);
  if (!key) throw unauthorized('The API key is not valid');
  if (!key.isAddressAllowed) throw forbidden('An API key that is bound to addresses cannot be used here');
  if (!allowsScope(key.scopes, 'write')) throw forbidden('The API key lacks the scope write');
  const { teamId } = key.team;
  await getUser(database, teamId, userId);
  return { teamId, userId };
}
