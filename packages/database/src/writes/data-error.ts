import { errorCode } from '@pulsewire/kernel';

const dataErrorState = /^2[123][0-9A-Z]{3}$/;

/**
 * Whether Postgres refused values and will refuse them again: SQLSTATE classes 21 (cardinality violation), 22 (data exception) and
 * 23 (integrity constraint violation). Repeating the same statement cannot help.
 */
export function isDataError(error: unknown): boolean {
  return dataErrorState.test(errorCode(error));
}
