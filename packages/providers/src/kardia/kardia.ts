import { recordMakersOf } from '../kit/records/record-maker.ts';

export const kardiaSlug = 'kardia';
export const kardiaSourceId = 51;
/** Source type of a hand-held recorder. */
export const recorder = 'unknown';
/** Of what patients type in. */
export const app = 'app';

export const createContext = recordMakersOf(kardiaSlug);

/** The API key is the user name; the password is empty. */
export function basicAuthOf(apiKey: string): string {
  return `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;
}
