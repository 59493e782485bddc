import { DetailBody } from '@pulsewire/contract';
import type { RouteResponse, ResponseSpec } from '../../../route/route.ts';

/** Documentation of an operation that this server does not implement. */
export const notBuiltSpec: ResponseSpec = { description: 'Not implemented.', schema: DetailBody };

/** 501 for an otherwise valid request. */
export function notBuilt(what: string): RouteResponse {
  return { status: 501, body: { detail: `${what} are not implemented` } };
}
