import { isAppError } from '@pulsewire/kernel';
import type { ApiClient } from './api-client.ts';

/** A person of the demo: an account at a simulated provider, and its user. */
export interface Person {
  readonly name: string;
  readonly userId: string;
}

/** A user to be found or created. */
export interface WantedPerson {
  readonly name: string;
  readonly clientUserId: string;
  readonly timeZone: string;
  /** First day of a new user's history, YYYY-MM-DD; null: as for any other user. */
  readonly ingestionStart: string | null;
}

/** The user, created if no earlier start has created it. */
export async function findOrCreatePerson(api: ApiClient, { name, clientUserId, timeZone, ingestionStart }: WantedPerson): Promise<Person> {
  try {
    const user = await api.call<{ user_id: string }>('POST', '/v2/user', {
      body: { client_user_id: clientUserId, fallback_time_zone: timeZone, ingestion_start: ingestionStart },
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
