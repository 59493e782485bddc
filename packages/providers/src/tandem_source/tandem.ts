import { recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const tandemSlug = 'tandem_source';
export const tandemSourceId = 52;
/** Boluses, basal rates and carbohydrates come from the pump, glucose from the sensor that it reads. */
export const pump = 'insulin_pump';
export const sensor = 'automatic';
export const meter = 'fingerprick';

/** Public ids and addresses of the vendor's own web site; they have changed before. */
export const tandemSettings = {
  clientIdUs: { default: '0oa4wnbvtladeyVZX4h7', description: 'client id of the web site in the United States.' },
  clientIdEu: { default: '1519e414-eeec-492e-8c5e-97bea4815a10', description: 'client id of the web site in Europe.' },
  redirectUriUs: {
    default: 'https://sso.tandemdiabetes.com/auth/callback',
    description: 'redirect address of the web site in the United States.',
  },
  redirectUriEu: {
    default: 'https://source.eu.tandemdiabetes.com/authorize/callback',
    description: 'redirect address of the web site in Europe.',
  },
  eventsParameter: { default: 'eventCodes', description: 'name of the parameter that lists the codes of events.' },
} as const satisfies ConnectorSettings;

export type TandemValues = SettingValues<typeof tandemSettings>;

export type TandemPlace = 'us' | 'eu';

export const placeUrls: Readonly<Record<TandemPlace, string>> = {
  us: 'https://source.tandemdiabetes.com',
  eu: 'https://source.eu.tandemdiabetes.com',
};

/** Sign-in of each place: the site, and the service that checks passwords. */
export const loginUrls = {
  site_us: 'https://sso.tandemdiabetes.com',
  site_eu: 'https://sso.tandemdiabetes.com',
  login_us: 'https://tdcservices.tandemdiabetes.com',
  login_eu: 'https://tdcservices.eu.tandemdiabetes.com',
} as const;

/** Every region that a link may name is one of the two; without one it is the United States. */
export const placeOf = (region: string | null): TandemPlace => (region === null || region === 'us' ? 'us' : 'eu');

export const createContext = recordMakersOf(tandemSlug);
