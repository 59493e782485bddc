import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import { utcMidnight } from '../kit/time/days.ts';
import type { LocalInstant } from '../kit/time/zone.ts';
import type { ConnectorSettings, PullUser } from '../kit/types/connector.ts';

export const myFitnessPalSlug = 'my_fitness_pal_v2';
export const myFitnessPalSourceId = 53;
/** All data is entered in the app, or sent to it by another one. */
export const app = 'app';
/** Stands for the id of the item in a notice that names none. */
export const unnamed = 'latest';

export const myFitnessPalSettings = {
  subscriptionsPath: {
    default: '/v2/subscriptions',
    description: 'path of subscriptions; one page of the reference writes /v2/subscription.',
  },
} as const satisfies ConnectorSettings;

export type MyFitnessPalValues = SettingValues<typeof myFitnessPalSettings>;

export function createContext(user: PullUser): RecordMaker {
  return createRecordMaker(myFitnessPalSlug, user);
}

/** The address of a user with these objects, each of which is left out unless it is named. */
export function userPath(providerUserId: string, ...fields: readonly string[]): string {
  return `/v2/users/${encodeURIComponent(providerUserId)}?${fieldsQuery(fields)}`;
}

/** The parameters that name the objects of a response. */
export function fieldsQuery(names: readonly string[]): string {
  return names.map((name) => `fields%5B%5D=${name}`).join('&');
}

const noonMs = 12 * 3_600_000;

/** The diary has days without times. Noon claims no more than that, and is on that day in every zone. */
export function noonOf(day: string, context: RecordMaker): LocalInstant {
  return context.zoneOn(day).toInstant(utcMidnight(day) + noonMs);
}
