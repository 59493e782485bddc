import { recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const dexcomSlug = 'dexcom';
/** `source_id` on the wire. */
export const dexcomSourceId = 14;
/** The source type: the sensor reads automatically. */
export const sensor = 'automatic';

/** Path below each base address. */
export const services = '/ShareWebServices/Services';

/** The three regions where accounts are; `account.region` is one of them. */
export type DexcomPlace = 'us' | 'ous' | 'jp';

export const placeUrls: Readonly<Record<DexcomPlace, string>> = {
  us: 'https://share2.dexcom.com',
  ous: 'https://shareous1.dexcom.com',
  jp: 'https://share.dexcom.jp',
};

/** How every client of Dexcom Share identifies itself: not a secret, and the same for all clients. */
export const dexcomSettings = {
  applicationId: { default: 'd89443d2-327c-4a6f-89e5-496bbb0317db', description: 'application id of the app that shares.' },
  applicationIdJp: { default: 'd8665ade-9673-4e27-9ff6-92db4ce13d13', description: 'application id of the app that shares, in Japan.' },
} as const satisfies ConnectorSettings;

export type DexcomValues = SettingValues<typeof dexcomSettings>;

/** Where accounts of a region are; without a region, the United States. */
export function placeOf(region: string | null): DexcomPlace {
  if (region === null || region === 'us') return 'us';
  return region === 'jp' ? 'jp' : 'ous';
}

export const createContext = recordMakersOf(dexcomSlug);
