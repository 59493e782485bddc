import { getUser } from '@pulsewire/connections';
import { AppError } from '@pulsewire/kernel';
import type { PhoneRequestContext } from '../../context/context.ts';

/** The sender of data, and the user it belongs to. */
export interface Sender {
  readonly teamId: string;
  readonly userId: string;
}

function teamOfPhone({ sender }: PhoneRequestContext, userId: string): string {
  if (sender?.userId === userId) return sender.teamId;
  throw new AppError({ code: 'phone_token_foreign', kind: 'forbidden', message: 'The token belongs to another user' });
}

/**
 * The sender of data of `userId`: the trusted app or the phone that the server has authenticated. Throws AppErrors `phone_token_foreign` (403)
 * for the token of another user, and `user_not_found`.
 */
export async function assertSender(context: PhoneRequestContext, userId: string): Promise<Sender> {
  const teamId = context.team?.teamId ?? teamOfPhone(context, userId);
  await getUser(context.database, teamId, userId);
  return { teamId, userId };
}
