import { recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const wahooSlug = 'wahoo';
/** `source_id` on the wire. */
export const wahooSourceId = 30;

export const wahooSettings = {
  webhookToken: {
    default: '',
    description: 'Token that was entered beside the address of the webhook in the portal; pushes with another one are rejected.',
    isSecret: true,
  },
} as const satisfies ConnectorSettings;

export type WahooValues = SettingValues<typeof wahooSettings>;

/** All profiles are entered in the app. */
export const app = 'app';
/** Numbers from here on are recorded by other companies' apps, which are not Wahoo's to share. */
export const thirdPartyFrom = 1000;

export const createContext = recordMakersOf(wahooSlug);
