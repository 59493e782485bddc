import type { LinkTokenHeader } from '@pulsewire/contract';
import type { LinkRequestContext } from '../../../context/context.ts';

/** Bytes of the body of a login, which is read before the link token is looked up. */
export const loginBytesMax = 16 * 1024;

/** The link token of a request, and the team of its key. */
export function tokenReference(context: LinkRequestContext, headers: LinkTokenHeader) {
  return { token: headers['x-service-link-token'], teamId: context.team?.teamId ?? null };
}
