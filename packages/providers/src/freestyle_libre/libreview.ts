import { recordMakersOf } from '../kit/records/record-maker.ts';

export const freestyleSlug = 'freestyle_libre';
/** `source_id` on the wire. */
export const freestyleSourceId = 13;

export const createContext = recordMakersOf(freestyleSlug);
