import { EmailLinkBody, EmailLinkResultBody, emailProviders, linkProviderParams, LinkTokenHeader } from '@pulsewire/contract';
import { linkByEmail } from '@pulsewire/connections';
import type { Connector } from '@pulsewire/providers';
import { defineRoute, ok } from '../../../route/route.ts';
import { renderEmailLinkResult } from '../../../render/link-result.ts';
import { loginBytesMax, tokenReference } from './token-reference.ts';

export const linkByEmailRoute = (connectors: readonly Connector[]) =>
  defineRoute({
    method: 'POST',
    path: '/v2/link/provider/email/{provider}',
    operationId: 'linkByEmail',
    area: 'linking',
    auth: 'link',
    summary: 'Link by e-mail address',
    description:
      'Requests that a practice at the provider may read the account with this address. The connection is created, and `provider.connection.created` sent, once the practice confirms. Requests that are not confirmed within 30 days expire; repeating one continues it. Link errors have status 200 and the state `error`.',
    params: linkProviderParams([
      ...new Set([...emailProviders, ...connectors.filter(({ email }) => email !== null).map(({ slug }) => slug)]),
    ]),
    headers: LinkTokenHeader,
    body: EmailLinkBody,
    bodyBytesMax: loginBytesMax,
    responses: { 200: { description: 'The result.', schema: EmailLinkResultBody } },
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
