import { createHash } from 'node:crypto';
import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings, PullUser } from '../kit/types/connector.ts';

export const libreviewSlug = 'abbott_libreview';
/** `source_id` on the wire. */
export const libreviewSourceId = 12;

/** Asked first when no region is named: it sends everybody home. */
export const globalUrl = 'https://api.libreview.io';

const hosted = ['ae', 'ap', 'au', 'ca', 'de', 'eu', 'eu2', 'fr', 'jp', 'la', 'us'];

/** The places where accounts live; `account.region` is one of them. */
export const placeUrls: Readonly<Record<string, string>> = {
  ...Object.fromEntries(hosted.map((place) => [place, `https://api-${place}.libreview.io`])),
  ru: 'https://api.libreview.ru',
  cn: 'https://api-cn.myfreestyle.cn',
};

const latinAmerica = new Set(['br', 'ar', 'cl', 'co', 'mx']);
const europe = new Set('gb ie nl at be ch cz dk es fi gr hr it lu no pl pt se si'.split(' '));

/** Where to ask first for an account of a region: it need not be right, but saves a redirect. null: at the global address. */
export function placeOf(region: string | null): string | null {
  if (region === null) return null;
  if (Object.hasOwn(placeUrls, region)) return region;
  if (europe.has(region)) return 'eu';
  return latinAmerica.has(region) ? 'la' : null;
}

/** Which app asks. Abbott refuses versions that it finds too old: 4.16.0 is the least since October 2025. */
export const libreviewSettings = {
  product: { default: 'llu.android', description: 'app that asks.' },
  appVersion: { default: '4.16.0', description: 'version of that app; Abbott refuses old ones.' },
  userAgent: { default: '', description: 'user agent in the place of ours, should Abbott insist on its own.' },
} as const satisfies ConnectorSettings;

export type LibreviewValues = SettingValues<typeof libreviewSettings>;

/** On every call. */
export function appHeadersOf({ product, appVersion, userAgent }: LibreviewValues): Readonly<Record<string, string>> {
  return { product, version: appVersion, accept: 'application/json', ...(userAgent === '' ? {} : { 'user-agent': userAgent }) };
}

/** What calls must carry beside the token; no secret. */
export function accountIdOf(userId: string): string {
  return createHash('sha256').update(userId).digest('hex');
}

export function createContext(user: PullUser): RecordMaker {
  return createRecordMaker(libreviewSlug, user);
}
