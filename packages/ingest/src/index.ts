export { createIngest, type Ingest, type IngestOptions } from './create-ingest.ts';
export {
  defaultSettings,
  type IngestContext,
  type IngestSettings,
  type PlanContext,
  type PullToken,
  type SubscriptionPorts,
} from './context.ts';
export { applicationBudget } from './budget/budget-of.ts';
export type { BudgetKey } from './budget/budget-state.ts';
export { createBudgets, type Budgets } from './budget/budgets.ts';
export { giveTurns } from './budget/give-turns.ts';
export { mayStart, waitForTurn, type TurnSeeker } from './budget/wait-for-turn.ts';
export { installJobs, openJobs, type Jobs } from './jobs/jobs.ts';
export { planConnection, planHistoricalPull } from './plan/plan-connection.ts';
export { planDuePulls, planRefresh } from './plan/plan-incremental.ts';
export { planUserRefresh, type RefreshWindow } from './plan/plan-user-refresh.ts';
export { dropPlan, dropPlans, restartPlans, stopPlans } from './plan/stop-plan.ts';
export { releasePullLeases } from './run/release-pull-leases.ts';
export { planImported } from './plan/plan-imported.ts';
export {
  onPush,
  turnPushAway,
  type IncomingPush,
  type PushAnswer,
  type PushApplication,
  type PushContext,
  type PushSecrets,
} from './push/on-push.ts';
export { createByteBudget, type ByteBudget, type ByteHold } from './push/byte-budget.ts';
export { createSignerSearch } from './push/signer-search.ts';
export { createSlots, type Slots } from './push/slots.ts';
export { pushAddress, pushSegmentOf } from './push/push-address.ts';
export { forgetAppSubscriptions, forgetTeamSubscriptions } from './push/forget-app-subscriptions.ts';
export { readSubscriptionSecrets } from './push/app-subscription.ts';
export { keepSecrets } from './push/secrets-cache.ts';
export { subscriptionIdOf } from './push/subscribe.ts';
export { readCoverage, type CoveredWindow } from './read/read-coverage.ts';
export { openHistories } from './read/open-histories.ts';
export { readRefresh, type RefreshState } from './read/read-refresh.ts';
export { readProgress, type PullProgress } from './read/read-progress.ts';
export { bringForwardPolls, wakeAppSubscriptions, wakeOverdue, wakePushes, wakeSubscriptions } from './keep/heal.ts';
export { completeIdleHistories } from './run/complete-history.ts';
export { createFillDemo } from './demo/fill-demo.ts';
export { erasePulls } from './keep/erase-pulls.ts';
export { maintainInbox } from './keep/maintain-inbox.ts';
export { maintainVault } from './keep/maintain-vault.ts';
export { renormalise, type RenormaliseContext, type RenormaliseRequest } from './vault/renormalise.ts';
export type { RenormaliseTally } from './vault/renormalise-tally.ts';
export { openPart, type VaultCipher } from './vault/seal-part.ts';
export { measureVault, type VaultSize } from './vault/measure-vault.ts';
export { unsubscribe, type UnsubscribeContext } from './push/unsubscribe.ts';
export { ingestSealedColumns } from './sealed-columns.ts';
