import { recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const ihealthSlug = 'ihealth';
/** `source_id` on the wire. */
export const ihealthSourceId = 20;

/** The source of typed-in values, for any kind of device. */
export const typedIn = 'app';

/** Each kind of data has a secret of its own beside the one of the application; the portal shows them. */
export const ihealthSettings = {
  sc: { default: '', description: 'serial of our application, from the portal.', isSecret: true },
  svBp: { default: '', description: 'secret of blood pressure, from the portal.', isSecret: true },
  svGlucose: { default: '', description: 'secret of glucose, from the portal.', isSecret: true },
  svSpo2: { default: '', description: 'secret of blood oxygen, from the portal.', isSecret: true },
  svWeight: { default: '', description: 'secret of weight, from the portal.', isSecret: true },
  svActivity: { default: '', description: 'secret of activity, from the portal.', isSecret: true },
  svSleep: { default: '', description: 'secret of sleep, from the portal.', isSecret: true },
  svSport: { default: '', description: 'secret of workouts, from the portal.', isSecret: true },
  stateInAddress: {
    default: 'on',
    description: 'off where the portal refuses a redirect address with a query; links then need the state to come back.',
  },
  redirectUri: { default: '', description: 'redirect address to repeat in data calls, if the portal requires it.' },
} as const satisfies ConnectorSettings;

export type IhealthValues = SettingValues<typeof ihealthSettings>;

export const createContext = recordMakersOf(ihealthSlug);
