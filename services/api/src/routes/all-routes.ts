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
import { createInsuranceRoute, getInsuranceRoute } from './v2/demographics/insurance.ts';
import { getUserInfoRoute, putUserInfoRoute } from './v2/demographics/user-info.ts';
import { phoneRoutes } from './sdk/phone-routes.ts';
import { storeDataRoute } from './v2/data/store-data.ts';
import { listProvidersRoute } from './v2/providers/list-providers.ts';
import { pushRoutes } from './v2/push/receive-push.ts';
import { readHistoricalPullsRoute } from './v2/introspect/historical-pulls.ts';
import { readResourceStatisticsRoute } from './v2/introspect/resources.ts';
import { readRawDevicesRoute } from './v2/summaries/read-raw-devices.ts';
import { readRawProfileRoute } from './v2/summaries/read-raw-profile.ts';
import { rawSummaryRoutes } from './v2/summaries/read-raw-summaries.ts';
import { readProfileRoute } from './v2/summaries/read-profile.ts';
import { readSummariesRoute } from './v2/summaries/read-summaries.ts';
import { timeseriesRoutes } from './v2/timeseries/timeseries-routes.ts';
import { createPortalUrlRoute } from './v2/users/create-portal-url.ts';
import { createSignInTokenRoute } from './v2/users/create-sign-in-token.ts';
import { createParsingJobRoute } from './lab-reports/create-parsing-job.ts';
import { getParsingJobRoute } from './lab-reports/get-parsing-job.ts';
import { apiKeyRoutes } from './v2/api-keys/api-key-routes.ts';
import { createUserRoute } from './v2/users/create-user.ts';
import { deleteUserRoute } from './v2/users/delete-user.ts';
import { deregisterProviderRoute } from './v2/users/connections/deregister-provider.ts';
import { getUserMetricsRoute } from './v2/users/get-user-metrics.ts';
import { getDeviceRoute } from './v2/users/devices/get-device.ts';
import { listDevicesRoute } from './v2/users/devices/list-devices.ts';
import { getUserProvidersRoute } from './v2/users/connections/get-user-providers.ts';
import { getUserRoute } from './v2/users/get-user.ts';
import { listUsersRoute } from './v2/users/list-users.ts';
import { refreshUserRoute } from './v2/users/connections/refresh-user.ts';
import { resolveUserRoute } from './v2/users/resolve-user.ts';
import { searchUsersRoute } from './v2/users/search-users.ts';
import { undoDeleteUserRoute } from './v2/users/undo-delete-user.ts';
import { updateUserRoute } from './v2/users/update-user.ts';
import { teamRoutes } from './v2/team/team-routes.ts';
import { getAreaInfoRoute } from './v3/areas/get-area-info.ts';
import { listCentersRoute } from './v3/areas/list-centers.ts';
import { appointmentRoutes } from './v3/appointments/appointment-routes.ts';
import { documentRoutes } from './v3/documents/document-routes.ts';
import { kitRoutes } from './v3/kits/kit-routes.ts';
import { orderRoutes } from './v3/orders/order-routes.ts';
import { resultRoutes } from './v3/results/result-routes.ts';
import { unmatchedRoutes } from './v3/unmatched-results/unmatched-routes.ts';
import { catalogueRoutes } from './v3/catalogue/catalogue-routes.ts';
import { webhookRoutes } from './v2/webhooks/webhook-routes.ts';

// Each row of the resource registry with a readable list becomes one endpoint.
const summaryRoutes: readonly Route[] = resources.flatMap((row) =>
  row.kind === 'summary' && row.window !== 'none' && row.responseKey !== null
    ? [readSummariesRoute({ ...row, window: row.window, responseKey: row.responseKey })]
    : [],
);

/** Every endpoint, in the order of the document. Routes that depend on the provider registry get it as an argument. */
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
    listDevicesRoute,
    getDeviceRoute,
    refreshUserRoute,
    deregisterProviderRoute,
    deleteUserRoute,
    undoDeleteUserRoute,
    createSignInTokenRoute,
    createPortalUrlRoute,
    putUserInfoRoute,
    getUserInfoRoute,
    createInsuranceRoute,
    getInsuranceRoute,
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
    storeDataRoute,
    ...phoneRoutes,
    ...summaryRoutes,
    readProfileRoute,
    ...rawSummaryRoutes,
    readRawProfileRoute,
    readRawDevicesRoute,
    ...timeseriesRoutes,
    readResourceStatisticsRoute,
    readHistoricalPullsRoute,
    ...catalogueRoutes,
    getAreaInfoRoute,
    listCentersRoute,
    createParsingJobRoute,
    getParsingJobRoute,
    ...appointmentRoutes,
    ...orderRoutes,
    ...kitRoutes,
    ...documentRoutes,
    ...resultRoutes,
    ...unmatchedRoutes,
    ...webhookRoutes,
    ...teamRoutes,
    ...apiKeyRoutes,
    webhookKeysRoute,
    ...pushRoutes,
  ];
}
