import { errorMessage } from '@pulsewire/kernel';

/** The message of an error from pg-boss, which emits worker errors as plain objects. */
export function bossErrorMessage(error: unknown): string {
  const isDescribed = typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';
  return isDescribed ? (error.message as string) : errorMessage(error);
}
