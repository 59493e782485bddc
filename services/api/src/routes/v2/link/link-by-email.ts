import { EmailLinkBody, EmailLinkResultBody, emailProviders, linkProviderParams, LinkTokenHeader } from '@pulsewire/contract';
import { linkByEmail } from '@pulsewire/connections';
import type { Connector } from '@pulsewire/providers';
import { defineRoute, ok } from '../../../route/route.ts';
import { renderEmailLinkResult } from '../../../render/link-result.ts';
import { tokenReference } from './token-reference.ts';

export const linkByEmailRoute = (connectors: readonly Connector[]) =>
  defineRoute({
    method: 'POST',
    path: '/v2/link/provider/email/{provider}',
    operationId: 'linkByEmail',
    area: 'linking',
    auth: 'link',
    summary: 'Link by an e-mail address',
    description:
      'Asks that a practice at the provider may read the account of this address. There is no connection yet: it is made, and `provider.connection.created` goes out, when the practice has confirmed. What is not confirmed within 30 days is forgotten; asking again goes on with the same request. Link errors come with status 200, as the state `error`.',
    params: linkProviderParams([
      ...new Set([...emailProviders, ...connectors.filter(({ email }) => email !== null).map(({ slug }) => slug)]),
    ]),
    headers: LinkTokenHeader,
    body: EmailLinkBody,
    answers: { 200: { description: 'How it ended.', schema: EmailLinkResultBody } },
    failures: [503],
    async handler(context, { params, headers, body }) {
      const { email, region = null } = body;
      const reference = tokenReference(context, headers);
      const { provider } = params;
      return ok(
        renderEmailLinkResult(await linkByEmail(context.links, { ...reference, provider, email, region, traceId: context.traceId })),
      );
    },
  });
