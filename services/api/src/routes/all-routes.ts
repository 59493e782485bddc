import { resources } from '@pulsewire/contract';
import type { Connector } from '@pulsewire/providers';
import type { Route } from '../route/route.ts';
import { webhookKeysRoute } from './site/webhook-keys.ts';
import { bulkRoutes } from './v2/link/bulk/bulk-routes.ts';
import { completeMfaRoute } from './v2/link/complete-mfa.ts';
import { connectDemoRoute } from './v2/link/connect-demo.ts';
import { createLinkTokenRoute } from './v2/link/create-link-token.ts';
import { finishOAuthLinkRoute } from './v2/link/finish-oauth-link.ts';
import { getLinkStateRoute } from './v2/link/get-link-state.ts';
import { linkByEmailRoute } from './v2/link/link-by-email.ts';
import { linkManuallyRoute } from './v2/link/link-manually.ts';
import { linkWithPasswordRoute } from './v2/link/link-with-password.ts';
import { listLinkProvidersRoute } from './v2/link/list-link-providers.ts';
import { startOAuthLinkRoute } from './v2/link/start-oauth-link.ts';
import { listProvidersRoute } from './v2/providers/list-providers.ts';
import { pushRoutes } from './v2/push/receive-push.ts';
import { readProfileRoute } from './v2/summaries/read-profile.ts';
import { readSummariesRoute } from './v2/summaries/read-summaries.ts';
import { timeseriesRoutes } from './v2/timeseries/timeseries-routes.ts';
import { createPortalUrlRoute } from './v2/users/create-portal-url.ts';
import { createSignInTokenRoute } from './v2/users/create-sign-in-token.ts';
import { apiKeyRoutes } from './v2/api-keys/api-key-routes.ts';
import { createUserRoute } from './v2/users/create-user.ts';
import { deleteUserRoute } from './v2/users/delete-user.ts';
import { deregisterProviderRoute } from './v2/users/connections/deregister-provider.ts';
import { getUserMetricsRoute } from './v2/users/get-user-metrics.ts';
import { getUserProvidersRoute } from './v2/users/connections/get-user-providers.ts';
import { getUserRoute } from './v2/users/get-user.ts';
import { listUsersRoute } from './v2/users/list-users.ts';
import { refreshUserRoute } from './v2/users/connections/refresh-user.ts';
import { resolveUserRoute } from './v2/users/resolve-user.ts';
import { searchUsersRoute } from './v2/users/search-users.ts';
import { undoDeleteUserRoute } from './v2/users/undo-delete-user.ts';
import { updateUserRoute } from './v2/users/update-user.ts';
import { teamRoutes } from './v2/team/team-routes.ts';
import { webhookRoutes } from './v2/webhooks/webhook-routes.ts';

// One row of the resource registry with a list to read makes one endpoint.
const summaryRoutes: readonly Route[] = resources.flatMap((row) =>
  row.kind === 'summary' && row.window !== 'none' && row.responseKey !== null
    ? [readSummariesRoute({ ...row, window: row.window, responseKey: row.responseKey })]
    : [],
);

/** Every endpoint, in the order of the document. What depends on the provider registry is given it. */
export function allRoutes(connectors: readonly Connector[]): readonly Route[] {
  return [
    createUserRoute,
    listUsersRoute,
    getUserMetricsRoute,
    getUserRoute,
    resolveUserRoute,
    searchUsersRoute,
    updateUserRoute,
    getUserProvidersRoute,
    refreshUserRoute,
    deregisterProviderRoute,
    deleteUserRoute,
    undoDeleteUserRoute,
    createSignInTokenRoute,
    createPortalUrlRoute,
    listProvidersRoute,
    createLinkTokenRoute(connectors),
    startOAuthLinkRoute(connectors),
    finishOAuthLinkRoute,
    linkWithPasswordRoute(connectors),
    completeMfaRoute(connectors),
    linkByEmailRoute(connectors),
    linkManuallyRoute,
    listLinkProvidersRoute,
    getLinkStateRoute,
    connectDemoRoute,
    ...bulkRoutes(connectors),
    ...summaryRoutes,
    readProfileRoute,
    ...timeseriesRoutes,
    ...webhookRoutes,
    ...teamRoutes,
    ...apiKeyRoutes,
    webhookKeysRoute,
    ...pushRoutes,
  ];
}
