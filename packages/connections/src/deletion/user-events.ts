import { renderDateTime, type UserDeleted, type UserErased, type UserUndeleted } from '@pulsewire/contract';
import { jsonEvent, type NewEvent } from '@pulsewire/eventlog';
import { erasureGraceMs } from '../model/erasure-grace.ts';

interface Subject {
  readonly teamId: string;
  readonly userId: string;
  readonly clientUserId: string;
}

/** `user.deleted`, for data pipelines only. */
export function userDeletedEvent({ teamId, userId, clientUserId }: Subject, at: Date): NewEvent {
  const data: UserDeleted = {
    user_id: userId,
    deleted_at: renderDateTime(at.getTime()),
    erased_after: renderDateTime(at.getTime() + erasureGraceMs),
  };
  return jsonEvent({ eventType: 'user.deleted', teamId, userId, clientUserId, data });
}

/** `user.undeleted`, for data pipelines only. */
export function userUndeletedEvent({ teamId, userId, clientUserId }: Subject, at: Date): NewEvent {
  const data: UserUndeleted = { user_id: userId, undeleted_at: renderDateTime(at.getTime()) };
  return jsonEvent({ eventType: 'user.undeleted', teamId, userId, clientUserId, data });
}

/** `user.erased`, for data pipelines only; without the team's reference to the user, which is erased too. */
export function userErasedEvent({ teamId, userId }: Pick<Subject, 'teamId' | 'userId'>, at: Date, providers: readonly string[]): NewEvent {
  const data: UserErased = { user_id: userId, erased_at: renderDateTime(at.getTime()), providers: [...providers] };
  return jsonEvent({ eventType: 'user.erased', teamId, userId, clientUserId: null, data });
}
