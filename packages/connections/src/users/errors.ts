import { AppError } from '@pulsewire/kernel';

/** Unknown, or of another team: the two must be indistinguishable. */
export function userNotFound(): AppError {
  return new AppError({ code: 'user_not_found', kind: 'not_found', message: 'User not found' });
}

/** Deleted, but still within the grace period. */
export function userDeleted(): AppError {
  return new AppError({ code: 'user_deleted', kind: 'not_found', message: 'This user is scheduled for deletion' });
}
