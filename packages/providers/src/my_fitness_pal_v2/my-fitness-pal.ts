import { fieldsQuery } from '../kit/my-fitness-pal/items.ts';
import { recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const myFitnessPalSlug = 'my_fitness_pal_v2';
export const myFitnessPalSourceId = 53;
/** Stands for the id of the item in a notice that names none. */
export const unnamed = 'latest';

export const myFitnessPalSettings = {
  subscriptionsPath: {
    default: '/v2/subscriptions',
    description: 'path of subscriptions; one page of the reference writes /v2/subscription.',
  },
} as const satisfies ConnectorSettings;

export type MyFitnessPalValues = SettingValues<typeof myFitnessPalSettings>;

export const createContext = recordMakersOf(myFitnessPalSlug);

/** The address of a user with these objects, each of which is left out unless it is named. */
export function userPath(providerUserId: string, ...fields: readonly string[]): string {
  return `/v2/users/${encodeURIComponent(providerUserId)}?${fieldsQuery(fields)}`;
}
