import type { SimulatorClock } from '../simulator-clock.ts';
import type { AccountBook } from './accounts/account-book.ts';
import type { Faults } from '../kit/faults.ts';
import type { GrantBook } from './oauth/grants.ts';
import type { Quota } from './quota.ts';
import type { StatisticsBook } from './statistics.ts';
import type { SubscriptionBook } from './subscriptions/subscription-book.ts';
import type { ApplicationSpec } from './types.ts';

/** What the routes of one simulator work with. */
export interface SimulatorParts {
  readonly clock: SimulatorClock;
  readonly applications: ReadonlyMap<string, ApplicationSpec>;
  readonly accounts: AccountBook;
  readonly grants: GrantBook;
  readonly subscriptions: SubscriptionBook;
  readonly quota: Quota;
  readonly faults: Faults;
  readonly statistics: StatisticsBook;
  /** Aborts when the simulator closes. */
  readonly closing: AbortSignal;
  /** Where links in answers point. */
  apiUrl(): string;
  /** Writes the state file, if there is one, before it returns. */
  save(): void;
}
