import { Type } from 'typebox';
import { CodedErrorBody, DetailBody, LinkTokenHeader, oauthProviderParams, OAuthLinkBody } from '@pulsewire/contract';
import { startOAuthLink } from '@pulsewire/connections';
import { providerRef, type Connector } from '@pulsewire/providers';
import { defineRoute, ok } from '../../../route/route.ts';
import { logoBaseUrl } from '../../../render/provider.ts';
import { tokenReference } from './token-reference.ts';

export const startOAuthLinkRoute = (connectors: readonly Connector[]) =>
  defineRoute({
    method: 'GET',
    path: '/v2/link/provider/oauth/{oauth_provider}',
    operationId: 'startOAuthLink',
    area: 'linking',
    auth: 'link',
    summary: 'Start an OAuth link',
    description:
      'Send the browser to `oauth_url`. Send only the person for whom the link token was created: whoever signs in is linked to that user. With an API key there is no further confirmation, unless the operator set `confirm_links` for the team.',
    params: oauthProviderParams(
      connectors.filter(({ authType }) => authType === 'oauth' || authType === 'team_oauth').map(({ slug }) => slug),
    ),
    headers: LinkTokenHeader,
    responses: {
      200: { description: 'The provider, with the address for the browser.', schema: OAuthLinkBody },
      400: {
        description: 'The link token is invalid, or no OAuth application is configured for this provider.',
        schema: Type.Union([CodedErrorBody, DetailBody]),
      },
    },
    async handler(context, { params, headers }) {
      const { connector, oauthUrl, backfillDays } = await startOAuthLink(context.links, {
        ...tokenReference(context, headers),
        provider: params.oauth_provider,
      });
      return ok({
        id: connector.sourceId,
        ...providerRef(connector, logoBaseUrl(context)),
        description: connector.description,
        group: null,
        oauth_url: oauthUrl,
        auth_type: connector.authType,
        source_type: connector.sourceKind,
        is_active: true,
        backfill_num_days: backfillDays,
      });
    },
  });
