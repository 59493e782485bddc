import type { LogEvent } from './types.ts';

/**
 * Whether an event's body was removed with its user (`eraseUserEvents`). Operational events have no user and are never erased;
 * no other event of a user has empty data.
 */
export function isErased({ userId, clientUserId, body }: Pick<LogEvent, 'userId' | 'clientUserId' | 'body'>): boolean {
  return userId !== null && clientUserId === null && body.kind === 'json' && body.json === '{}';
}
