import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings, PullUser } from '../kit/types/connector.ts';

export const dexcomSlug = 'dexcom';
/** `source_id` on the wire. */
export const dexcomSourceId = 14;
/** The sensor reads by itself. */
export const sensor = 'automatic';

/** Below every base address. */
export const services = '/ShareWebServices/Services';

/** The three places where accounts live; `account.region` is one of them. */
export type DexcomPlace = 'us' | 'ous' | 'jp';

export const placeUrls: Readonly<Record<DexcomPlace, string>> = {
  us: 'https://share2.dexcom.com',
  ous: 'https://shareous1.dexcom.com',
  jp: 'https://share.dexcom.jp',
};

/** What every client of Dexcom Share says that it is: no secret, and the same for all. */
export const dexcomSettings = {
  applicationId: { default: 'd89443d2-327c-4a6f-89e5-496bbb0317db', description: 'application id of the app that shares.' },
  applicationIdJp: { default: 'd8665ade-9673-4e27-9ff6-92db4ce13d13', description: 'application id of the app that shares, in Japan.' },
} as const satisfies ConnectorSettings;

export type DexcomValues = SettingValues<typeof dexcomSettings>;

/** Where an account of a region lives; without one it is taken to be of the United States. */
export function placeOf(region: string | null): DexcomPlace {
  if (region === null || region === 'us') return 'us';
  return region === 'jp' ? 'jp' : 'ous';
}

export function createContext(user: PullUser): RecordMaker {
  return createRecordMaker(dexcomSlug, user);
}
