import { type RecordMaker, recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const whoopSlug = 'whoop';
/** `source_id` on the wire. */
export const whoopSourceId = 10;
export const strap = 'watch';

/** How the app identifies itself: public values without a secret. */
export const whoopSettings = {
  clientId: { default: '37365lrcda1js3fapqfe2n40eh', description: 'client id with which the app logs in.' },
  apiVersion: { default: '7', description: 'version of the interface, in the query of every call.' },
} as const satisfies ConnectorSettings;

export type WhoopValues = SettingValues<typeof whoopSettings>;

export type WhoopContext = RecordMaker;

export const createContext = recordMakersOf(whoopSlug);
