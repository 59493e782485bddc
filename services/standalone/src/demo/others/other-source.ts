import { isAppError } from '@pulsewire/kernel';
import type { Person } from '../client/people.ts';

/** A source of the demo beside Fitbit. */
export interface OtherSource {
  readonly slug: string;
  readonly name: string;
  readonly clientUserId: string;
  /** How it was linked, or that an earlier start has linked it. */
  readonly how: string;
  /** null when no user could be created. */
  readonly person: Person | null;
  /** What its simulation does not prove. Absent: nothing is known of the kind. */
  readonly note?: string | undefined;
  /** Why it could not be linked; null: it is linked. */
  readonly failure: string | null;
}

/** With what the API has responded. */
export function messageOf(error: unknown): string {
  if (!isAppError(error)) return String(error);
  const body = error.details['body'];
  return body === undefined ? error.message : `${error.message} ${JSON.stringify(body)}`;
}
