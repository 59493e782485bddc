import { unknownAddress } from '../kit/http/endpoints.ts';
import { recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const beurerSlug = 'beurer_api';
/** `source_id` on the wire. */
export const beurerSourceId = 24;

/** What the catalogue, the log and the demo say: no data interface of Beurer is public. */
export const ownFormat = "Format of our own: needs the operator's contract and address with Beurer.";

/** People sign in at a host of its own, whatever their region. The operator's address serves everything. */
export const ssoRegion = 'sso';
export const regionUrls = { eu: unknownAddress, us: unknownAddress, [ssoRegion]: 'https://sso.connect.beurer.com' };

export const beurerSettings = {
  clientId: { default: 'beurersso', description: 'client id of the app at the sign-in service.' },
  clientSecret: { default: '', description: 'client secret of the app at the sign-in service.', isSecret: true },
  scope: { default: 'sso offline_access', description: 'scopes of the tokens, to which the name of the app belongs.' },
  measurementsPath: { default: '/measurements', description: 'path of the measurements, which is not public.' },
} as const satisfies ConnectorSettings;

export type BeurerValues = SettingValues<typeof beurerSettings>;

/** What a person typed in. */
export const typedIn = 'app';

export const createContext = recordMakersOf(beurerSlug);
