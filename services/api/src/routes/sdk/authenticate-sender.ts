import { getUser } from '@pulsewire/connections';
import { authenticatePhone } from '@pulsewire/intake';
import { AppError } from '@pulsewire/kernel';
import type { PhoneRequestContext } from '../../context/context.ts';
import type { RawRequest } from '../../context/raw-request.ts';

/** The sender of data, and the user it belongs to. */
export interface Sender {
  readonly teamId: string;
  readonly userId: string;
}

async function teamOfPhone({ phone }: PhoneRequestContext, { authorization = '' }: RawRequest['headers'], userId: string): Promise<string> {
  const claims = await authenticatePhone(
    phone.tokens,
    String(authorization)
      .replace(/^bearer /i, '')
      .trim(),
  );
  if (claims.userId === userId) return claims.teamId;
  throw new AppError({ code: 'phone_token_foreign', kind: 'forbidden', message: 'The token belongs to another user' });
}

/**
 * The sender of data of `userId`: the trusted app whose key the server has authenticated, else a phone by its access token. Throws
 * AppErrors `phone_token_invalid` (401), `phone_token_foreign` (403) for the token of another user, and `user_not_found`.
 */
export async function authenticateSender(context: PhoneRequestContext, headers: RawRequest['headers'], userId: string): Promise<Sender> {
  const teamId = context.team?.teamId ?? (await teamOfPhone(context, headers, userId));
  await getUser(context.database, teamId, userId);
  return { teamId, userId };
}
