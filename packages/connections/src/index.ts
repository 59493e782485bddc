export { applicationOf } from './context/applications.ts';
export type { CustodyContext, LinkContext } from './context/context.ts';
export type { ProviderGate } from './providers/provider-gate.ts';
export { linkConfig, publicAddressConfig } from './context/link-config.ts';
export { createProviderGate } from './providers/create-provider-gate.ts';
export { reportConfigurationFault } from './providers/report-configuration-fault.ts';
export { createCustody } from './context/create-custody.ts';
export {
  providerConfigFields,
  readProviderSettings,
  type ProviderSettings,
  type ProviderSettingValues,
} from './providers/provider-settings.ts';
export { findTeam, listTeams, type Team } from './teams/team.ts';
export { createTeam, type NewTeam } from './teams/team.ts';
export { deleteTeam, listUsersOfDeletedTeams, undoTeamDeletion } from './deletion/delete-team.ts';
export { eraseTeam, listTeamsToErase } from './deletion/erase-team.ts';
export { historyDaysOf } from './teams/history-days.ts';
export { updateTeam, type TeamChanges } from './teams/update-team.ts';
export type { ApiKey, ApiKeyLimits } from './teams/keys/api-key.ts';
export { authenticateKey, type AuthenticatedKey } from './teams/keys/authenticate-key.ts';
export { revokeApiKey, rotateApiKey, updateApiKey } from './teams/keys/change-api-key.ts';
export { createApiKey, type CreatedApiKey, type NewApiKey } from './teams/keys/create-api-key.ts';
export { findApiKey, findTeamByKeyLabel, getApiKey, listApiKeys } from './teams/keys/find-api-keys.ts';
export { apiKeyForm, checkTeamApiKey } from './teams/keys/key-form.ts';
export { recordKeyUses } from './teams/keys/authenticate-key.ts';
export { takeTokens, type KeyRate, type TakenTokens } from './teams/keys/take-tokens.ts';
export { countFailedKeys, failedKeysWindowMs } from './teams/keys/count-failed-keys.ts';
export { allowsScope, apiKeyScopes, scopesBeyond, type ApiKeyScope } from './model/api-key-scopes.ts';
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
export { accountDirectory, assertNotDeleted, findUserOfAnyTeam, getUser, getUserByClientUserId, lockUser } from './users/find-user.ts';
export { actingTeams, mayAct } from './model/may-act.ts';
export { listUserIds } from './users/list-users.ts';
export { listUsers, type UserFilter, type UserPlace } from './users/list-users.ts';
export { looksPersonal } from './users/personal-reference.ts';
export { searchUsers } from './users/list-users.ts';
export { refreshUser, type StartedRefresh } from './connections/refresh-user.ts';
export { updateUser, type UserChanges } from './users/update-user.ts';
export { deleteUser, type DeletionOptions } from './deletion/delete-user.ts';
export { undoDeletion, type UserReference } from './deletion/undo-user-deletion.ts';
export { erasureGraceMs } from './model/erasure-grace.ts';
export { userErasedEvent } from './deletion/user-events.ts';
export { eraseUser, listUsersToErase } from './deletion/erase-users.ts';
export { listTeamErasures, replayTeamErasures, type TeamErasure } from './deletion/team-erasures.ts';
export { listErasures, replayErasures, type Erasure } from './deletion/user-erasures.ts';
export { readUserMetrics, type UserMetrics } from './users/user-metrics.ts';
export type { Connection, ConnectionError, ConnectionStatus } from './model/connection.ts';
export {
  connectionForIntake,
  connectionForPull,
  connectionsForPulls,
  connectionsByPushName,
  connectionsForPush,
  listConnections,
  saveAccount,
  saveGrantedScopes,
  type HandoverBounds,
  type PullConnection,
  type PushConnection,
  pageConnections,
  type ConnectionPlace,
} from './connections/find-connections.ts';
export { discontinuedFailure } from './connections/errors.ts';
export { markConnectionError, markConnectionErrorInTx } from './connections/mark-error.ts';
export type { ConnectionFailure } from './model/connection.ts';
export { saveProviderUser } from './connections/save-provider-user.ts';
export { pausePastIngestionEnd, type PauseContext } from './connections/pause-past-ingestion-end.ts';
export { startResourceHandoverOf } from './handover/start-resource-handover.ts';
export { findWaitingHandovers, type WaitingHandover } from './handover/find-waiting-handovers.ts';
export {
  endedAt,
  ever,
  isOpen,
  joined,
  openedAt,
  openedOn,
  without,
  type DayStart,
  type ResourceDays,
  type Span,
} from './handover/days.ts';
export { readResourceHandover, saveResourceHandover, usersSharingResources, type ResourceHandover } from './handover/resource-handover.ts';
export { handOverImported } from './handover/hand-over.ts';
export { endHandedOver, type EndHandedOverContext } from './handover/end-handed-over.ts';
export { handBackFailed } from './handover/hand-back-failed.ts';
export { deregisterConnection, removeConnection, type DeregistrationOptions } from './connections/remove-connection.ts';
export { processDeregistrations, type ProviderCleanup } from './deregistration/process-deregistrations.ts';
export type { Deregistration } from './model/deregistration.ts';
export { republishConnections } from './connections/republish-connections.ts';
export { putConnection, emitConnectionCreated, type NewConnection } from './connections/put-connection.ts';
export { assertDemoAllowed, connectDemo, type DemoLink } from './demo/connect-demo.ts';
export {
  adoptSimulated,
  assertSimulatorsRun,
  markForSimulators,
  listSimulatedProviders,
  removeSimulatedConnections,
  type ProviderCount,
} from './demo/simulated-providers.ts';
export { expireDemoUsers } from './demo/expire-demo-users.ts';
export { extendDemos, type DemoSpan, type FillDemo } from './demo/extend-demos.ts';
export { linkErrorType } from './link/session/link-error.ts';
export { createLinkSession, type NewLinkSession } from './link/session/create-link-session.ts';
export { isRedirectAllowed, isSchemeRegistrable } from './model/redirect-url.ts';
export { userOfLinkToken } from './link/session/session.ts';
export { startOAuthLink, type OAuthStart } from './link/oauth/start-oauth-link.ts';
export { completeOAuthLink, type CallbackOutcome } from './link/oauth/complete-oauth-link.ts';
export type { OAuthCallback } from './link/oauth/exchange-code.ts';
export { browserCookieName, createBrowserCookie, formKey, isBrowserKey, isFormKey, type BrowserCookie } from './link/page/browser-key.ts';
export {
  confirmOAuthLink,
  declineOAuthLink,
  readConsentOffer,
  type ConfirmationOutcome,
  type ConsentOffer,
} from './link/oauth/confirm-oauth-link.ts';
export { revokeExpiredConsents } from './link/oauth/revoke-held-consent.ts';
export { linkWithPassword, type PasswordLink } from './link/password/link-with-password.ts';
export { completeMfa, type MfaCompletion } from './link/password/complete-mfa.ts';
export { linkByEmail, type EmailLink } from './link/email/link-by-email.ts';
export { confirmEmailLink, type ConfirmContext, type EmailConfirmation } from './link/email/confirm-email-link.ts';
export { declineEmailLink } from './link/email/email-links.ts';
export { expireEmailLinks } from './link/email/email-links.ts';
export { findLinkedElsewhere, type LinkedElsewhere } from './link/email/find-linked-elsewhere.ts';
export { listEmailLinks } from './link/email/email-links.ts';
export type { PendingEmailLink } from './link/email/email-links.ts';
export type { LinkFailure, LinkOutcome, LinkPending, LinkRequested, LinkSuccess, PendingChallenge } from './link/session/link-outcome.ts';
export { listLinkableProviders, type LinkableProvider } from './link/session/linkable-providers.ts';
export { readLinkState, type LinkStatus } from './link/session/session.ts';
export { linkDemo, linkSource } from './link/page/link-from-page.ts';
export type { PageProvider } from './link/page/page-providers.ts';
export { closeLinkPage, describeLinkPage, locationAfterAttempt, type LinkPage } from './link/page/link-page.ts';
export { forgetLinkSessions } from './link/forget-sessions.ts';
export { ensureManualLink, linkManually, type ManualLink } from './link/connect/link-manually.ts';
export { isPhoneStore, manualProviders } from './model/manual-providers.ts';
export { getAccessToken, type AccessToken, type AccessTokenOptions } from './custody/get-access-token.ts';
export { releaseRefreshLeases } from './custody/refresh-lease.ts';
export { refreshDueTokens } from './custody/refresh-due.ts';
export * from './bulk/index.ts';
export { connectionSealedColumns } from './model/sealed-columns.ts';
