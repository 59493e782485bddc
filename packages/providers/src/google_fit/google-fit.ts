import { recordMakersOf } from '../kit/records/record-maker.ts';

export const googleFitSlug = 'google_fit';
export const googleFitSourceId = 57;

const scope = (what: string): string => `https://www.googleapis.com/auth/fitness.${what}.read`;

/** OAuth scopes by what they allow to read. Distance needs `location`, water needs `nutrition`. */
export const fitScopes = {
  activity: scope('activity'),
  body: scope('body'),
  heartRate: scope('heart_rate'),
  location: scope('location'),
  sleep: scope('sleep'),
  nutrition: scope('nutrition'),
  glucose: scope('blood_glucose'),
  pressure: scope('blood_pressure'),
  temperature: scope('body_temperature'),
  oxygen: scope('oxygen_saturation'),
  reproductive: scope('reproductive_health'),
} as const;

/** Google merges the readings of all apps and devices into one stream per data type. */
export const mergedSource = 'multiple_sources';
/** Entered by hand, or computed by an app without naming a device. */
export const appSource = 'app';

/** Every source type that a reading of a merged stream can have. */
export const readingSources = [mergedSource, appSource] as const;

export const createContext = recordMakersOf(googleFitSlug);

/** The id of the stream that Google merges for a data type; `name` is the last part of the id. */
export function mergedStream(type: string, name: string): string {
  return `derived:com.google.${type}:com.google.android.gms:${name}`;
}
