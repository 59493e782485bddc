import { linkProviderParams, LinkResultBody, LinkTokenHeader, PasswordLinkBody, passwordProviders } from '@pulsewire/contract';
import { linkWithPassword } from '@pulsewire/connections';
import type { Connector } from '@pulsewire/providers';
import { defineRoute, ok } from '../../../route/route.ts';
import { renderLinkResult } from '../../../render/link-result.ts';
import { loginBytesMax, tokenReference } from './token-reference.ts';

/** Slugs of all known providers; one that is not served here fails with a link result. */
export const passwordSlugs = (connectors: readonly Connector[]) => [
  ...new Set([...passwordProviders, ...connectors.filter(({ password }) => password !== null).map(({ slug }) => slug)]),
];

export const linkWithPasswordRoute = (connectors: readonly Connector[]) =>
  defineRoute({
    method: 'POST',
    path: '/v2/link/provider/password/{provider}',
    operationId: 'linkWithPassword',
    area: 'linking',
    auth: 'link',
    summary: 'Link with user name and password',
    description: 'Link errors have status 200 and the state `error`. Password providers are disabled until the operator enables them.',
    params: linkProviderParams(passwordSlugs(connectors)),
    headers: LinkTokenHeader,
    body: PasswordLinkBody,
    bodyBytesMax: loginBytesMax,
    responses: { 200: { description: 'The result.', schema: LinkResultBody } },
    failures: [429, 503],
    async handler(context, { params, headers, body }) {
      const { provider } = params;
      const { username, password, region = null } = body;
      const reference = tokenReference(context, headers);
      const outcome = await linkWithPassword(context.links, {
        ...reference,
        provider,
        username,
        password,
        region,
        traceId: context.traceId,
      });
      return ok(renderLinkResult(outcome, { provider, username }));
    },
  });
