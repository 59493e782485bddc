import { AppError } from '@pulsewire/kernel';

/** Unknown, and of another team: the two must not be told apart. */
export function userNotFound(): AppError {
  return new AppError({ code: 'user_not_found', kind: 'not_found', message: 'User not found' });
}

/** Deleted, but still inside the grace period. */
export function userDeleted(): AppError {
  return new AppError({ code: 'user_deleted', kind: 'not_found', message: 'This user is scheduled for deletion' });
}
