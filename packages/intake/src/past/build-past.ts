import { pageConnections, type ConnectionPlace } from '@pulsewire/connections';
import { isDataError, type Database } from '@pulsewire/database';
import type { PhoneProvider } from '@pulsewire/providers';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { buildPastDays } from './past-days.ts';
import { buildPastMeals, buildPastWeighings } from './past-instants.ts';
import { buildPastNights } from './past-nights.ts';

/** What was built so far. */
export interface PastProgress {
  readonly phones: number;
  readonly activities: number;
  readonly bodies: number;
  readonly meals: number;
  /** Nights and sleep cycles that were built again and have changed. */
  readonly nights: number;
  /** Phones whose summary could not be stored. */
  readonly failed: number;
  /** The user that was finished last. */
  readonly lastUserId: string | null;
}

export interface PastQuery {
  /** Null: of every team, and of every user. */
  readonly teamId: string | null;
  readonly userId: string | null;
  /** Continues after this user. */
  readonly afterUserId: string | null;
}

const providers: readonly PhoneProvider[] = ['apple_health_kit', 'health_connect', 'samsung_health'];
const pageSize = 100;
/** After all providers of a user. */
const lastProvider = '~';

const ownerOf = (place: ConnectionPlace): PhoneOwner => ({ ...place, provider: place.provider as PhoneProvider });

/**
 * Builds the activity, body and meal summaries of phones that are missing, from the samples that were stored before summaries were built,
 * a month or a few hundred weighings per transaction, and all nights again. Existing summaries of other kinds are left alone, and a night
 * that has not changed is no event, so it may be stopped and run again, beside running services.
 */
export async function buildPastSummaries(
  database: Database,
  { teamId, userId, afterUserId }: PastQuery,
  onProgress: (progress: PastProgress) => void,
): Promise<PastProgress> {
  let progress: PastProgress = { phones: 0, activities: 0, bodies: 0, meals: 0, nights: 0, failed: 0, lastUserId: afterUserId };
  let after: Pick<ConnectionPlace, 'userId' | 'provider'> | null =
    afterUserId === null ? null : { userId: afterUserId, provider: lastProvider };
  for (;;) {
    const page: readonly ConnectionPlace[] = await pageConnections(database, { providers, teamId, userId, after, limit: pageSize });
    for (const place of page) {
      const owner = ownerOf(place);
      const made = await buildOne(database, owner).catch((error: unknown) => {
        if (!isDataError(error)) throw error;
        return null;
      });
      progress = {
        phones: progress.phones + 1,
        activities: progress.activities + (made?.activities ?? 0),
        bodies: progress.bodies + (made?.bodies ?? 0),
        meals: progress.meals + (made?.meals ?? 0),
        nights: progress.nights + (made?.nights ?? 0),
        failed: progress.failed + (made === null ? 1 : 0),
        lastUserId: owner.userId,
      };
      onProgress(progress);
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) return progress;
    after = last;
  }
}

async function buildOne(database: Database, owner: PhoneOwner) {
  const activities = await buildPastDays(database, owner);
  const bodies = await buildPastWeighings(database, owner);
  const meals = await buildPastMeals(database, owner);
  return { activities, bodies, meals, nights: await buildPastNights(database, owner) };
}
