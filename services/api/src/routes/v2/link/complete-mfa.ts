import { linkProviderParams, LinkResultBody, LinkTokenHeader, MfaCodeBody } from '@pulsewire/contract';
import { completeMfa } from '@pulsewire/connections';
import type { Connector } from '@pulsewire/providers';
import { defineRoute, ok } from '../../../route/route.ts';
import { renderLinkResult } from '../../../render/link-result.ts';
import { passwordSlugs } from './link-with-password.ts';
import { loginBytesMax, tokenReference } from './token-reference.ts';

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
