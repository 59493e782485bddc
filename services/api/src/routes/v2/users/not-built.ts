import { DetailBody } from '@pulsewire/contract';
import type { Answer, AnswerSpec } from '../../../route/route.ts';

/** What stands in the document of an operation that the interface allows to leave out. */
export const notBuiltSpec: AnswerSpec = { description: 'Not implemented.', schema: DetailBody };

/** 501, for a request that is right otherwise. */
export function notBuilt(what: string): Answer {
  return { status: 501, body: { detail: `${what} are not implemented` } };
}
