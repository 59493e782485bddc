import { createHash } from 'node:crypto';
import { recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const libreviewSlug = 'abbott_libreview';
/** `source_id` on the wire. */
export const libreviewSourceId = 12;

/** Used when no region is known: it redirects every account to its region. */
export const globalUrl = 'https://api.libreview.io';

const hosted = ['ae', 'ap', 'au', 'ca', 'de', 'eu', 'eu2', 'fr', 'jp', 'la', 'us'];

/** Base URLs by region; `account.region` is one of the keys. */
export const placeUrls: Readonly<Record<string, string>> = {
  ...Object.fromEntries(hosted.map((place) => [place, `https://api-${place}.libreview.io`])),
  ru: 'https://api.libreview.ru',
  cn: 'https://api-cn.myfreestyle.cn',
};

const latinAmerica = new Set(['br', 'ar', 'cl', 'co', 'mx']);
const europe = new Set('gb ie nl at be ch cz dk es fi gr hr it lu no pl pt se si'.split(' '));

/** The host to try first for an account's region. It need not be right, but saves a redirect. null: the global address. */
export function placeOf(region: string | null): string | null {
  if (region === null) return null;
  if (Object.hasOwn(placeUrls, region)) return region;
  if (europe.has(region)) return 'eu';
  return latinAmerica.has(region) ? 'la' : null;
}

/** Identifies us as LibreView's own web page, because reports are its interface. */
export const webHeaders = { product: 'lv', accept: 'application/json' };

/** LibreView reports no zone. Days begin earliest in this one, so no reading waits for its day to begin; records do not use it. */
export const planningZone = 'Etc/GMT-14';

/** The format of a patient id, which is used in paths. */
export const patientPattern = /^[\w-]{1,64}$/;

/** True for a LibreView patient, whose own reports are read; a LibreLinkUp account follows others. */
export function isPatient(account: Readonly<Record<string, unknown>>): boolean {
  return account['account_type'] === 'patient';
}

/** The app that we identify as. Abbott refuses old versions: the minimum has been 4.16.0 since October 2025. */
export const libreviewSettings = {
  product: { default: 'llu.android', description: 'app that makes the requests.' },
  appVersion: { default: '4.16.0', description: 'version of that app; Abbott refuses old ones.' },
  accounts: { default: 'both', description: 'accounts that users may link: linkup (followers), libreview (patients), or both.' },
  userAgent: { default: '', description: 'user agent to send instead of ours, if Abbott requires that of its app.' },
} as const satisfies ConnectorSettings;

export type LibreviewValues = SettingValues<typeof libreviewSettings>;

/** Headers of every call. */
export function appHeadersOf({ product, appVersion, userAgent }: LibreviewValues): Readonly<Record<string, string>> {
  return { product, version: appVersion, accept: 'application/json', ...(userAgent === '' ? {} : { 'user-agent': userAgent }) };
}

/** The header value that calls need in addition to the token; not a secret. */
export function accountIdOf(userId: string): string {
  return createHash('sha256').update(userId).digest('hex');
}

export const createContext = recordMakersOf(libreviewSlug);
