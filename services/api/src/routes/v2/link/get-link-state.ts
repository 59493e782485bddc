import { LinkStateBody, LinkTokenHeader } from '@pulsewire/contract';
import { readLinkState } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';
import { tokenReference } from './token-reference.ts';

export const getLinkStateRoute = defineRoute({
  method: 'GET',
  path: '/v2/link/state',
  operationId: 'getLinkState',
  area: 'linking',
  auth: 'link',
  summary: 'Read the state of a link token',
  headers: LinkTokenHeader,
  responses: { 200: { description: 'Also works for expired and consumed tokens.', schema: LinkStateBody } },
  async handler(context, { headers }) {
    const { state, provider, errorType } = await readLinkState(context.links, tokenReference(context, headers));
    return ok({ state, provider, error_type: errorType });
  },
});
