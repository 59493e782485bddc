import { recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const zwiftSlug = 'zwift';
/** `source_id` on the wire. */
export const zwiftSourceId = 11;
/** Zwift is an app; the trainer and the strap are unknown. */
export const app = 'app';

/** Logins go to a host of their own. */
export const loginRegion = 'login';
export const loginUrl = 'https://secure.zwift.com';

/** How the game identifies itself: public values without a secret. */
export const zwiftSettings = {
  clientId: { default: 'Zwift Game Client', description: 'client id with which the app logs in.' },
  platform: { default: 'OSX', description: 'platform that the app sends.' },
  source: { default: 'Game Client', description: 'source that the app sends.' },
  userAgent: { default: '', description: 'user agent to send instead of ours, if Zwift requires that of its app.' },
} as const satisfies ConnectorSettings;

export type ZwiftValues = SettingValues<typeof zwiftSettings>;

/** The client id of connections that were linked before it was stored with the account. */
export const formerClientId = 'Zwift_Mobile_Link';

/** Without them Zwift responds in a binary format. */
export function appHeadersOf({ platform, source, userAgent }: ZwiftValues): Readonly<Record<string, string>> {
  return { accept: 'application/json', platform, source, ...(userAgent === '' ? {} : { 'user-agent': userAgent }) };
}

export const createContext = recordMakersOf(zwiftSlug);
