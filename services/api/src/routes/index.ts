import { resources } from '@pulsewire/contract';
import type { Connector } from '@pulsewire/providers';
import type { Route } from '../http/route.ts';
import { createLinkTokenRoute } from './v2/link/create-link-token.ts';
import { finishOAuthLinkRoute } from './v2/link/finish-oauth-link.ts';
import { startOAuthLinkRoute } from './v2/link/start-oauth-link.ts';
import { listProvidersRoute } from './v2/providers/list-providers.ts';
import { receivePushRoute } from './v2/push/receive-push.ts';
import { readProfileRoute } from './v2/summaries/read-profile.ts';
import { readSummariesRoute } from './v2/summaries/read-summaries.ts';
import { readGroupedRoute } from './v2/timeseries/read-grouped.ts';
import { createUserRoute } from './v2/users/create-user.ts';
import { deleteUserRoute } from './v2/users/delete-user.ts';
import { deregisterProviderRoute } from './v2/users/deregister-provider.ts';
import { getUserMetricsRoute } from './v2/users/get-user-metrics.ts';
import { getUserProvidersRoute } from './v2/users/get-user-providers.ts';
import { getUserRoute } from './v2/users/get-user.ts';
import { listUsersRoute } from './v2/users/list-users.ts';
import { resolveUserRoute } from './v2/users/resolve-user.ts';
import { searchUsersRoute } from './v2/users/search-users.ts';
import { undoDeleteUserRoute } from './v2/users/undo-delete-user.ts';
import { updateUserRoute } from './v2/users/update-user.ts';
import { webhookRoutes } from './v2/webhooks/index.ts';

// One row of the resource registry with a list to read makes one endpoint.
const summaryRoutes: readonly Route[] = resources.flatMap((row) =>
  row.kind === 'summary' && row.window !== 'none' && row.answerKey !== null
    ? [readSummariesRoute({ ...row, window: row.window, answerKey: row.answerKey })]
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
    deregisterProviderRoute,
    deleteUserRoute,
    undoDeleteUserRoute,
    listProvidersRoute,
    createLinkTokenRoute(connectors),
    startOAuthLinkRoute(connectors),
    finishOAuthLinkRoute,
    ...summaryRoutes,
    readProfileRoute,
    readGroupedRoute,
    ...webhookRoutes,
    receivePushRoute('GET'),
    receivePushRoute('POST'),
  ];
}
