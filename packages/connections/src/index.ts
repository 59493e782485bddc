export type { CustodyContext, LinkContext } from './context.ts';
export type { OAuthGate } from './oauth-gate.ts';
export { createOAuthGate } from './create-oauth-gate.ts';
export { providerConfigFields, readProviderSettings, type ProviderSettings, type ProviderSettingValues } from './provider-settings.ts';
export { findTeam, listTeams, type Team } from './teams/team.ts';
export { createTeam, type NewTeam } from './teams/create-team.ts';
export { updateTeam, type TeamChanges } from './teams/update-team.ts';
export { authenticateKey, createApiKey, listApiKeys, revokeApiKey, type ApiKey } from './teams/api-keys.ts';
export {
  deleteOAuthCredential,
  listApplications,
  listOAuthCredentials,
  putOAuthCredential,
  type OAuthCredential,
} from './teams/oauth-credentials.ts';
export { findMustGrantScopes, putMustGrantScopes } from './teams/scope-requirements.ts';
export type { Fallback, User } from './users/user.ts';
export { createUser, type CreateUserOptions, type NewUser } from './users/create-user.ts';
export { getUser, getUserByClientUserId } from './users/find-user.ts';
export { listUsers } from './users/list-users.ts';
export { searchUsers } from './users/search-users.ts';
export { updateUser, type UserChanges } from './users/update-user.ts';
export { deleteUser } from './users/delete-user.ts';
export { erasureGraceMs, undoDeletion, type UserReference } from './users/undo-deletion.ts';
export { eraseUser, listUsersToErase } from './users/erase-users.ts';
export { readUserMetrics, type UserMetrics } from './users/user-metrics.ts';
export type { Connection, ConnectionError, ConnectionStatus } from './connections/connection.ts';
export {
  connectionForPull,
  findConnectionsByProviderUser,
  listConnections,
  saveAccount,
  type PullConnection,
} from './connections/find-connections.ts';
export { markConnectionError, markConnectionErrorInTx, type ConnectionFailure } from './connections/mark-error.ts';
export { markRevoked } from './connections/mark-revoked.ts';
export { pauseEndedConnections, type PauseContext } from './connections/pause-ended.ts';
export { deregisterConnection, type DeregistrationOptions } from './connections/remove-connection.ts';
export { settleDeregistrations, type Deregistration, type Farewell } from './connections/settle-deregistrations.ts';
export { linkErrorType } from './link/link-error.ts';
export { createLinkSession, type NewLinkSession } from './link/create-link-session.ts';
export { openLinkSession, type LinkSession } from './link/session.ts';
export { startOAuthLink } from './link/start-oauth-link.ts';
export { completeOAuthLink, type LinkOutcome, type OAuthCallback } from './link/complete-oauth-link.ts';
export { getAccessToken, type AccessToken, type AccessTokenOptions } from './custody/get-access-token.ts';
export { refreshDueTokens } from './custody/refresh-due.ts';
