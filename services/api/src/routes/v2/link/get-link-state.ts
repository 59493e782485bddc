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
  summary: 'Read how a link token stands',
  headers: LinkTokenHeader,
  answers: { 200: { description: 'Also of a token that is over.', schema: LinkStateBody } },
  async handler(context, { headers }) {
    const { state, provider, errorType } = await readLinkState(context.links, tokenReference(context, headers));
    return ok({ state, provider, error_type: errorType });
  },
});
