import { errorMessage } from '@pulsewire/kernel';

/** An error from pg-boss, which emits those of its workers as plain objects, as an Error. */
export function bossError(error: unknown): Error {
  if (error instanceof Error) return error;
  const isDescribed = typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';
  return new Error(isDescribed ? (error.message as string) : errorMessage(error));
}
