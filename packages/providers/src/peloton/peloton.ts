import { recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const pelotonSlug = 'peloton';
/** `source_id` on the wire. */
export const pelotonSourceId = 23;

/** Kinds of source: bikes, treads and rowers by their device type, anything else is the app. */
export const sources = { machine: 'exercise_machine', app: 'app' } as const;
export const anySource: readonly string[] = Object.values(sources);

/** The sign-in has a separate host. */
export const authRegion = 'auth';
export const authUrl = 'https://auth.onepeloton.com';

/** How the web app identifies itself: public values without a secret. */
export const pelotonSettings = {
  clientId: { default: 'WVoJxVDdPoFx4RNewvvg6ch2mZ7bwnsM', description: 'client id of the web app.' },
  redirectUri: { default: 'https://members.onepeloton.com/callback', description: 'redirect address of the web app.' },
  audience: { default: 'https://api.onepeloton.com/', description: 'audience of the tokens.' },
  scope: { default: 'offline_access openid peloton-api.members:default', description: 'scopes of the tokens.' },
  tenant: { default: 'peloton-prod', description: 'tenant of the sign-in service.' },
  connection: { default: 'pelo-user-password', description: 'user database of the sign-in service.' },
} as const satisfies ConnectorSettings;

export type PelotonValues = SettingValues<typeof pelotonSettings>;

export const createContext = recordMakersOf(pelotonSlug);
