import { DetailBody } from '@pulsewire/contract';
import type { RouteResponse, ResponseSpec } from '../../../route/route.ts';

/** What stands in the document of an operation that the interface allows to leave out. */
export const notBuiltSpec: ResponseSpec = { description: 'Not implemented.', schema: DetailBody };

/** 501, for a request that is right otherwise. */
export function notBuilt(what: string): RouteResponse {
  return { status: 501, body: { detail: `${what} are not implemented` } };
}
