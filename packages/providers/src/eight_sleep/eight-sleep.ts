import { recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const eightSleepSlug = 'eight_sleep';
/** `source_id` on the wire. */
export const eightSleepSourceId = 56;
/** There is no source type for a mattress. */
export const mattress = 'unknown';
/** What a person typed in. */
export const app = 'app';

/** People sign in at a separate host. */
export const authRegion = 'auth';
export const authUrl = 'https://auth-api.8slp.net/v1';

export const eightSleepSettings = {
  clientId: { default: '', description: 'client id of the app at the sign-in service.' },
  clientSecret: { default: '', description: 'client secret of the app at the sign-in service.', isSecret: true },
  userAgent: { default: '', description: 'user agent to send instead of ours, if Eight Sleep requires that of its app.' },
} as const satisfies ConnectorSettings;

export type EightSleepValues = SettingValues<typeof eightSleepSettings>;

export const createContext = recordMakersOf(eightSleepSlug);

/** Headers of every call. */
export function appHeadersOf({ userAgent }: EightSleepValues): Readonly<Record<string, string>> {
  return { accept: 'application/json', ...(userAgent === '' ? {} : { 'user-agent': userAgent }) };
}
