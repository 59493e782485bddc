import type { UserCall } from '../kit/definition/definition.ts';
import { RefusalError } from '../kit/parts/refusal.ts';

/** The client that a request names in its header, which must be the one that the token was issued to. */
export function clientIdOf({ headers, grant }: UserCall): string {
  const given = headers['mfp-client-id'];
  if (given === undefined) throw new RefusalError('request_invalid', 'missing-header: mfp-client-id');
  if (given !== grant.clientId) throw new RefusalError('request_invalid', 'malformed-header: mfp-client-id');
  return grant.clientId;
}

/** Refuses calls for another person. The header may be missing. */
export function assertOwn(call: UserCall): void {
  clientIdOf(call);
  const userId = call.headers['mfp-user-id'];
  if (userId !== undefined && userId !== call.account.providerUserId) throw new RefusalError('not_found', 'No such user');
}
