import { errorMessage } from '@pulsewire/kernel';

/** The text of what pg-boss reports: it hands out errors of its workers as plain objects. */
export function bossErrorMessage(error: unknown): string {
  const isDescribed = typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';
  return isDescribed ? (error.message as string) : errorMessage(error);
}
