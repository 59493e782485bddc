export { createIngest, type Ingest, type IngestOptions } from './create-ingest.ts';
export {
  defaultSettings,
  type IngestContext,
  type IngestSettings,
  type PlanContext,
  type PullToken,
  type SubscriptionPorts,
} from './context/context.ts';
export { applicationBudget } from './quota/budget-of.ts';
export type { BudgetKey } from './quota/budget-state.ts';
export { createBudgets, type Budgets } from './quota/budgets.ts';
export { admitNext } from './quota/admit-next.ts';
export { joinQueue } from './connection-schedule/quota-queue.ts';
export { mayStart, type QuotaRequester } from './quota/may-start.ts';
export { installJobs, openJobs, type Jobs } from './jobs/jobs.ts';
export { planConnection, planHistoricalPull } from './plan/plan-connection.ts';
export { planningHooks, type PlanningHooks } from './plan/planning-hooks.ts';
export { planRefresh } from './plan/plan-poll.ts';
export { planDuePulls } from './plan/plan-due-pulls.ts';
export { planUserRefresh, type RefreshWindow } from './plan/plan-user-refresh.ts';
export { dropSchedule, dropSchedules, restartSchedules, stopSchedules } from './connection-schedule/stop-schedule.ts';
export { releasePullLeases } from './connection-schedule/lease.ts';
export { withinBounds } from './records/day-filters.ts';
export { admitOtherWrite } from './records/seen-again.ts';
export { planImported } from './plan/plan-imported.ts';
export { receivePush } from './push/receive/receive-push.ts';
export { rejectUnknownAddress } from './push/receive/reject-call.ts';
export type { IncomingPush, PushResponse } from './push/receive/push-call.ts';
export type { PushContext } from './push/receive/push-context.ts';
export type { PushApplication, PushSecrets } from './push/receive/secrets/push-secrets.ts';
export { createByteBudget, type ByteBudget, type ByteReservation } from './push/receive/limits/byte-budget.ts';
export { createSignerSearch } from './push/receive/signer-search.ts';
export { createSlots, type Slots } from './push/receive/limits/slots.ts';
export { pushAddress, pushSegmentOf } from './push/receive/push-address.ts';
export { forgetAppSubscriptions, forgetTeamSubscriptions } from './push/subscriptions/forget-app-subscriptions.ts';
export { readSubscriptionSecrets } from './push/subscriptions/app-subscription.ts';
export { cacheSecrets } from './push/receive/secrets/secrets-cache.ts';
export { createUnsubscribing } from './push/subscriptions/create-unsubscribing.ts';
export { subscriptionIdOf } from './push/subscriptions/subscribe.ts';
export { hasReadLive, isBehind, lastDayStored } from './read/connection-progress.ts';
export { lastDayRead } from './model/last-day-read.ts';
export { readCoverage, type CoveredWindow } from './read/read-coverage.ts';
export { readRefresh, type RefreshState } from './read/read-refresh.ts';
export { readProgress, type PullProgress } from './read/read-progress.ts';
export { bringForwardPolls, wakeAppSubscriptions, wakeOverdue, wakePushes, wakeSubscriptions } from './maintenance/heal.ts';
export { createProviderAccess } from './session/provider-access.ts';
export { mergeReadWindows } from './window/merge-windows.ts';
export { completeIdleHistories } from './window/complete-history.ts';
export { createFillDemo } from './demo/fill-demo.ts';
export { erasePulls } from './maintenance/erase-user.ts';
export { maintainInbox, maintainVault } from './maintenance/maintain-partitions.ts';
export { renormalise, type RenormaliseContext, type RenormaliseRequest } from './renormalise/renormalise.ts';
export type { RenormaliseTally } from './renormalise/renormalise-tally.ts';
export { openPart, type VaultCipher } from './sealed/seal-part.ts';
export { measureVault, type VaultSize } from './vault/measure-vault.ts';
export { unsubscribe, type UnsubscribeContext } from './push/subscriptions/unsubscribe.ts';
export { ingestSealedColumns } from './sealed-columns.ts';
export { readLastAttempts, type LastAttempt } from './read/last-attempts.ts';
export { readHistoricalPulls, type HistoricalPull } from './read/read-historical-pulls.ts';
export { openHistories, readHistoryProgress, type HistoryProgress } from './read/read-history-progress.ts';
export { readSetAside, type SetAside } from './read/read-set-aside.ts';
export { readSchedules, type ScheduleState } from './read/read-schedules.ts';
export { readResponsesOfDay, type KeptResponses } from './vault/read-responses-of-day.ts';
export type { VaultReader } from './vault/vault-runs.ts';
