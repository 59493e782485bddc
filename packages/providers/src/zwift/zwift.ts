import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import type { PullUser } from '../kit/types.ts';

export const zwiftSlug = 'zwift';
/** `source_id` on the wire (contract 20.5). */
export const zwiftSourceId = 11;
/** Zwift is an app; which trainer and strap stand behind it is not told. */
export const app = 'app';

/** Logins go to a host of their own. */
export const loginRegion = 'login';
export const loginUrl = 'https://secure.zwift.com';

/** What the game says that it is: public, and no secret belongs to it. */
export const clientId = 'Zwift_Mobile_Link';

/** Without them Zwift answers in a binary form. */
export const appHeaders = { accept: 'application/json', platform: 'OSX', source: 'Game Client' };

export function createContext(user: PullUser): RecordMaker {
  return createRecordMaker(zwiftSlug, user);
}
