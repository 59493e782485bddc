import { recordMakersOf } from '../kit/records/record-maker.ts';

export const cronometerSlug = 'cronometer';
/** `source_id` on the wire. */
export const cronometerSourceId = 55;
/** Everything is typed into the app. */
export const app = 'app';

export const createContext = recordMakersOf(cronometerSlug);
