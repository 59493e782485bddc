import type { ValidationError } from '@pulsewire/contract';
import { dateTimeMs } from '../../../validate/formats.ts';
import { fieldError } from '../../../validate/validate-request.ts';

/** A key that has expired would be no key; to end one, revoke it. */
export function futureEnd(text: string | null | undefined, now: Date): readonly ValidationError[] {
  if (text === null || text === undefined || dateTimeMs(text) > now.getTime()) return [];
  return [fieldError(['body', 'expires_at'], 'Must be in the future; to end a key at once, revoke it', text)];
}
