import { recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const hammerheadSlug = 'hammerhead';
/** `source_id` on the wire. */
export const hammerheadSourceId = 33;
/** A bike computer, which the contract has no kind of source for. */
export const computer = 'unknown';

export const dashboardUrl = 'https://dashboard.hammerhead.io/v1';
/** Accounts were moved to the sign-in of SRAM, which is at a host of its own. */
export const loginRegion = 'login';
export const loginUrl = 'https://sramid-auth.sram.com';

/** The identity of the web app, which is public and has no secret. */
export const hammerheadSettings = {
  clientId: { default: 'MFhsYcUUMGGBPaA4KpGKxUuzyqOY9ReM', description: 'client id with which the app signs in at SRAM.' },
  audience: { default: 'https://api.quarqnet.com', description: 'audience of the tokens of SRAM.' },
  scope: { default: 'openid profile email offline_access', description: 'scopes that the app requests at SRAM.' },
} as const satisfies ConnectorSettings;

export type HammerheadValues = SettingValues<typeof hammerheadSettings>;

export const createContext = recordMakersOf(hammerheadSlug);
