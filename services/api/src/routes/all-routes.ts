import { resources } from '@pulsewire/contract';
import type { Connector } from '@pulsewire/providers';
import type { Route } from '../route/route.ts';
import { createParsingJobRoute, getParsingJobRoute } from './lab-reports/parsing-jobs.ts';
import { phoneRoutes } from './sdk/phone-routes.ts';
import { webhookKeysRoute } from './site/webhook-keys.ts';
import { apiKeyRoutes } from './v2/api-keys/api-keys.ts';
import { demographicRoutes } from './v2/demographics.ts';
import { explainDayRoute } from './v2/explain.ts';
import { introspectRoutes } from './v2/introspect.ts';
import { bulkRoutes } from './v2/link/bulk/bulk-routes.ts';
import { connectDemoRoute, linkByEmailRoute, linkManuallyRoute } from './v2/link/direct-links.ts';
import { createLinkTokenRoute, getLinkStateRoute, listLinkProvidersRoute } from './v2/link/link-tokens.ts';
import { finishOAuthLinkRoute, startOAuthLinkRoute } from './v2/link/oauth-links.ts';
import { completeMfaRoute, linkWithPasswordRoute } from './v2/link/password-links.ts';
import { listProvidersRoute } from './v2/providers.ts';
import { receiveLabPushRoute } from './v2/push/receive-lab-push.ts';
import { pushRoutes } from './v2/push/receive-push.ts';
import { storeDataRoute } from './v2/store-data.ts';
import { readRawDevicesRoute, readRawProfileRoute, rawSummaryRoutes } from './v2/summaries/raw-summaries.ts';
import { readProfileRoute, readSummariesRoute } from './v2/summaries/summaries.ts';
import { teamRoutes } from './v2/team.ts';
import { timeseriesRoutes } from './v2/timeseries/timeseries-routes.ts';
import { deregisterProviderRoute, getUserProvidersRoute, refreshUserRoute } from './v2/users/connections.ts';
import { deletionRoutes } from './v2/users/deletion.ts';
import { deviceRoutes } from './v2/users/devices.ts';
import { revealUserRoute } from './v2/users/reveal.ts';
import { signInRoutes } from './v2/users/sign-in.ts';
import { userRoutes } from './v2/users/users.ts';
import { attemptRoutes } from './v2/webhooks/attempts.ts';
import { endpointRoutes } from './v2/webhooks/endpoints.ts';
import { replayRoutes } from './v2/webhooks/replays.ts';
import { centerAppointmentRoutes } from './v3/appointments/center-appointments.ts';
import { homeAppointmentRoutes } from './v3/appointments/home-appointments.ts';
import { areaRoutes } from './v3/areas.ts';
import { catalogueRoutes } from './v3/catalogue/catalogue-routes.ts';
import { documentRoutes } from './v3/documents.ts';
import { kitRoutes } from './v3/kits.ts';
import { orderRoutes } from './v3/orders/order-routes.ts';
import { resultRoutes } from './v3/results.ts';
import { unmatchedRoutes } from './v3/unmatched-results.ts';

// Each row of the resource registry with a readable list becomes one endpoint.
const summaryRoutes: readonly Route[] = resources.flatMap((row) =>
  row.kind === 'summary' && row.window !== 'none' && row.responseKey !== null
    ? [readSummariesRoute({ ...row, window: row.window, responseKey: row.responseKey })]
    : [],
);

/** Every endpoint, in the order of the document. Routes that depend on the provider registry get it as an argument. */
export function allRoutes(connectors: readonly Connector[]): readonly Route[] {
  return [
    ...userRoutes,
    getUserProvidersRoute,
    ...deviceRoutes,
    refreshUserRoute,
    deregisterProviderRoute,
    ...deletionRoutes,
    ...signInRoutes,
    revealUserRoute,
    ...demographicRoutes,
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
    ...introspectRoutes,
    explainDayRoute,
    ...catalogueRoutes,
    ...areaRoutes,
    createParsingJobRoute,
    getParsingJobRoute,
    ...homeAppointmentRoutes,
    ...centerAppointmentRoutes,
    receiveLabPushRoute,
    ...orderRoutes,
    ...kitRoutes,
    ...documentRoutes,
    ...resultRoutes,
    ...unmatchedRoutes,
    ...endpointRoutes,
    ...attemptRoutes,
    ...replayRoutes,
    ...teamRoutes,
    ...apiKeyRoutes,
    webhookKeysRoute,
    ...pushRoutes,
  ];
}
