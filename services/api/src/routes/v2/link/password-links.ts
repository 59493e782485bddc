import { linkWithPassword, completeMfa } from '@pulsewire/connections';
import { linkProviderParams, LinkResultBody, LinkTokenHeader, PasswordLinkBody, passwordProviders, MfaCodeBody } from '@pulsewire/contract';
import type { Connector } from '@pulsewire/providers';
import { renderLinkResult } from '../../../render/link-result.ts';
import { defineRoute, ok } from '../../../route/route.ts';
import { loginBytesMax, tokenReference } from './link-tokens.ts';

/** Slugs of all known providers; one that is not served here fails with a link result. */
const passwordSlugs = (connectors: readonly Connector[]) => [
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

export const completeMfaRoute = (connectors: readonly Connector[]) =>
  defineRoute({
    method: 'POST',
    path: '/v2/link/provider/password/{provider}/complete_mfa',
    operationId: 'completeMfa',
    area: 'linking',
    auth: 'link',
    summary: 'Submit the code or choice that the provider requires',
    description:
      'Uses the same link token. After a wrong code or choice, further attempts are possible for ten minutes. After a code, a choice may be required, in the same form.',
    params: linkProviderParams(passwordSlugs(connectors)),
    headers: LinkTokenHeader,
    body: MfaCodeBody,
    bodyBytesMax: loginBytesMax,
    responses: { 200: { description: 'The result.', schema: LinkResultBody } },
    failures: [429, 503],
    async handler(context, { params, headers, body }) {
      const { provider } = params;
      const reference = tokenReference(context, headers);
      const outcome = await completeMfa(context.links, { ...reference, provider, code: body.mfa_code, traceId: context.traceId });
      return ok(renderLinkResult(outcome, { provider, username: outcome.state === 'success' ? outcome.externalUserId : null }));
    },
  });
