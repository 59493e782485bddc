import { recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const renphoSlug = 'renpho';
/** `source_id` on the wire. */
export const renphoSourceId = 22;

export const sources = { scale: 'scale', app: 'app', tape: 'unknown' } as const;

export const renphoSettings = {
  appKey: { default: '', description: 'key of 16 characters with which the app encrypts its calls.', isSecret: true },
  appVersion: { default: '7.5.0', description: 'version of the app.' },
  areaCode: { default: 'US', description: 'area code that the app sends at login.' },
  deviceTypes: { default: '02D3,02D5,0B18,0B38,0B58,0B78,0BA6', description: 'kinds of scales that the app sends at login.' },
} as const satisfies ConnectorSettings;

export type RenphoValues = SettingValues<typeof renphoSettings>;

/** How the app identifies itself. */
export function appHeadersOf({ appVersion }: RenphoValues): Readonly<Record<string, string>> {
  return { appVersion, platform: 'android' };
}

export const createContext = recordMakersOf(renphoSlug);
