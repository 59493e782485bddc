import { AppError } from '@pulsewire/kernel';

/** Unknown, or of another team. */
export function connectionNotFound(): AppError {
  return new AppError({ code: 'connection_not_found', kind: 'not_found', message: 'Connection not found' });
}
