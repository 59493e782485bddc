import { recordMakersOf } from '../kit/records/record-maker.ts';

export const googleHealthSlug = 'google_health';
export const googleHealthSourceId = 50;

const prefix = 'https://www.googleapis.com/auth/googlehealth.';

/** Of OpenID Connect: names the Google account, by which a connection of `google_fit` is matched. */
export const identityScope = 'openid';
/** The address of OpenID Connect among those of the connector. */
export const identityRegion = 'identity';

/** OAuth scopes by what they allow to read. */
export const googleScopes = {
  activity: `${prefix}activity_and_fitness.readonly`,
  metrics: `${prefix}health_metrics_and_measurements.readonly`,
  sleep: `${prefix}sleep.readonly`,
  nutrition: `${prefix}nutrition.readonly`,
  ecg: `${prefix}ecg.readonly`,
  rhythm: `${prefix}irn.readonly`,
  location: `${prefix}location.readonly`,
  profile: `${prefix}profile.readonly`,
  settings: `${prefix}settings.readonly`,
} as const;

/**
 * Readable since October 2026 by the interface definition alone: no guide, client or recorded response has it, and Google refuses a whole link
 * for one scope that it does not know. Requested only where the operator names it.
 */
export const reproductiveScope = `${prefix}reproductive_health.readonly`;

/** Reconciled points are merged by Google from all sources of the user. */
export const mergedSource = 'multiple_sources';

/** Every source type that a listed point can have. */
export const listedSources = [
  'watch',
  'scale',
  'phone',
  'ring',
  'chest_strap',
  'app',
  'automatic',
  'fingerprick',
  'lab',
  'unknown',
] as const;

export const createContext = recordMakersOf(googleHealthSlug);
