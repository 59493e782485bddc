import { isAppError } from '@pulsewire/kernel';
import type { ApiClient } from './api-client.ts';

/** A person of the demo: an account at the simulated provider, and its user. */
export interface Person {
  readonly name: string;
  readonly userId: string;
}

function clientUserId(name: string): string {
  return `demo-${name.toLowerCase()}`;
}

/** The user of an account, created if no earlier start has created it. `ingestionStart`: first day of a new user's history, YYYY-MM-DD. */
export async function findOrCreatePerson(
  api: ApiClient,
  { name, timeZone }: { readonly name: string; readonly timeZone: string },
  ingestionStart: string | null,
): Promise<Person> {
  try {
    const user = await api.call<{ user_id: string }>('POST', '/v2/user', {
      body: { client_user_id: clientUserId(name), fallback_time_zone: timeZone, ingestion_start: ingestionStart },
    });
    return { name, userId: user.user_id };
  } catch (error) {
    // The error response for an existing reference contains the user that has it.
    const response = isAppError(error) ? (error.details['body'] as { detail?: { user_id?: string } } | undefined) : undefined;
    const userId = response?.detail?.user_id;
    if (userId === undefined) throw error;
    return { name, userId };
  }
}
