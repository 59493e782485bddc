import { AppError } from '@pulsewire/kernel';
import { httpAddress } from '../http-address.ts';
import { createRecording } from '../recording/recording.ts';
import { seededRandom } from '../seeded.ts';
import { createSimulatorClock } from '../simulator-clock.ts';
import { createAccountBook } from './accounts/account-book.ts';
import { demoAccounts } from './accounts/demo-accounts.ts';
import type { Account, AccountSpec } from './accounts/types.ts';
import { weightLogId } from './data/body.ts';
import { sleepsOf } from './data/sleep.ts';
import { workoutsOf } from './data/workouts.ts';
import { createFaults, type FaultControl } from '../kit/faults.ts';
import { createGrantBook } from './oauth/grants.ts';
import type { SimulatorParts } from './parts.ts';
import { createPublisher, type PublishRequest, type Ticking, type TickingOptions } from './publisher.ts';
import type { PublishOutcome } from './publish.ts';
import { createQuota } from './quota.ts';
import { createServer } from './server.ts';
import { readState, writeState } from './state-file.ts';
import { createStatistics, type FitbitStatistics } from './statistics.ts';
import { createNotifier } from './subscriptions/notifier.ts';
import { createSubscriptionBook } from './subscriptions/subscription-book.ts';
import type { Verification } from './subscriptions/verify-subscriber.ts';
import type { Endpoints, FitbitSimulatorOptions } from './types.ts';

/** A person at the simulated provider, as the maker of a simulator handles one. */
export interface AccountHandle {
  readonly name: string;
  readonly ownerId: string;
  readonly timeZone: string;
  /** The first date with data. */
  readonly firstDate: string;
  /** Up to when the provider has data. */
  syncedUntil(): Date;
  /** The person deletes what was logged on a date: the main sleep, the workouts, or the weighing. Subscribers are told. */
  deleteLogs(kind: 'sleep' | 'workout' | 'weight', date: string): void;
  /** The person moves the beginning of the main sleep: it gets another log id. */
  editSleep(date: string): void;
  logFood(date: string, kcal: number): void;
  deleteFoods(date: string): void;
  /** Every access token of the account is refused from now on. */
  expireTokens(): void;
  /** Consents that stand. */
  consents(): number;
  /** The user withdraws the consent at the provider, for one application or all; subscribers are told. */
  revoke(clientId?: string): void;
}

export interface FitbitSimulator {
  readonly url: string;
  readonly endpoints: Endpoints;
  readonly accounts: readonly AccountHandle[];
  readonly faults: FaultControl;
  addAccount(spec: AccountSpec): AccountHandle;
  /** Saves a subscriber in the portal: asks the two verification questions and enables it if both answers are right. */
  registerSubscriber(clientId: string, subscriber: { url: string; verificationCode: string }): Promise<Verification>;
  subscriberState(clientId: string): 'none' | 'unverified' | 'enabled' | 'disabled';
  /** Makes new minutes known and announces them. Never shows data of the future. */
  publish(request: PublishRequest): PublishOutcome;
  /** Publishes for every account in turns until stopped or closed. */
  startTicking(options: TickingOptions): Ticking;
  /** Resolves when every announced change was accepted or given up. */
  notificationsSettled(): Promise<void>;
  statistics(): FitbitStatistics;
  close(): Promise<void>;
}

const accessTokenLifetimeMsDefault = 8 * 3_600_000;
const requestsPerHourDefault = 150;

/** A listening Fitbit. See the README for what is recorded and what is made up. */
export async function createFitbitSimulator(options: FitbitSimulatorOptions): Promise<FitbitSimulator> {
  const clock = options.clock ?? createSimulatorClock();
  const seed = options.seed ?? 'pulsewire';
  const host = options.host ?? '127.0.0.1';
  const closing = new AbortController();
  const state = options.stateFile === undefined ? undefined : readState(options.stateFile);
  const statistics = createStatistics();
  const recording = createRecording(options.dataFolder ? { folder: options.dataFolder } : {});
  const accounts = createAccountBook(options.accounts ?? demoAccounts(5), { recording, clock, snapshot: state?.accounts ?? {} });
  const grants = createGrantBook({
    clock,
    accessTokenLifetimeMs: options.accessTokenLifetimeMs ?? accessTokenLifetimeMsDefault,
    snapshot: state?.grants,
  });
  const subscriptions = createSubscriptionBook(state?.subscriptions);
  const faults = createFaults(seed, options.faults);
  const notifiers = new Map(
    options.applications.map((application) => [
      application.clientId,
      createNotifier(application, {
        statistics,
        timing: options.notifications ?? {},
        closing: closing.signal,
        ...(options.onNotificationSent && { onSent: options.onNotificationSent }),
      }),
    ]),
  );
  let url = '';

  const parts: SimulatorParts = {
    clock,
    applications: new Map(options.applications.map((application) => [application.clientId, application])),
    accounts,
    grants,
    subscriptions,
    quota: createQuota(clock, options.requestsPerHour ?? requestsPerHourDefault),
    faults,
    statistics,
    closing: closing.signal,
    apiUrl: () => url,
    save() {
      if (options.stateFile === undefined) return;
      writeState(options.stateFile, {
        format: 1,
        grants: grants.snapshot(),
        subscriptions: subscriptions.snapshot(),
        accounts: accounts.snapshot(),
        incomplete: publisher.incomplete(),
      });
    },
  };
  const announce: Parameters<typeof createPublisher>[0]['announce'] = (account, collection, date) => {
    for (const { clientId, subscriptionId } of subscriptions.interested(account.ownerId, collection)) {
      notifiers.get(clientId)?.announce({
        collectionType: collection,
        ...(date !== undefined && { date }),
        ownerId: account.ownerId,
        ownerType: 'user',
        subscriptionId,
      });
    }
  };
  const publisher = createPublisher({
    accounts,
    statistics,
    announce,
    random: seededRandom(`publish:${seed}`),
    closing: closing.signal,
    save: parts.save,
    incomplete: new Map(Object.entries(state?.incomplete ?? {})),
  });

  const toHandle = (account: Account): AccountHandle => ({
    name: account.name,
    ownerId: account.ownerId,
    timeZone: account.zone.name,
    firstDate: account.firstDate,
    syncedUntil: () => new Date(account.syncedMs()),
    deleteLogs(kind, date) {
      const sleeps = sleepsOf(account, date).filter(({ isMainSleep }) => isMainSleep);
      const ids = { sleep: sleeps, workout: workoutsOf(account, date), weight: [{ logId: weightLogId(account, date) }] }[kind];
      for (const { logId } of ids) account.logs.delete(logId);
      announce(account, ({ sleep: 'sleep', workout: 'activities', weight: 'body' } as const)[kind], date);
    },
    editSleep(date) {
      account.logs.editSleep(date);
      announce(account, 'sleep', date);
    },
    logFood(date, kcal) {
      account.logs.logFood(date, kcal);
      announce(account, 'foods', date);
    },
    deleteFoods(date) {
      account.logs.deleteFoods(date);
      announce(account, 'foods', date);
    },
    expireTokens: () => grants.expireOwner(account.ownerId),
    consents: () => grants.snapshot().grants.filter((grant) => grant.ownerId === account.ownerId).length,
    revoke(clientId) {
      for (const grant of grants.revokeOwner(account.ownerId, clientId)) {
        // Told first: the subscription that carries the news ends with the consent.
        for (const subscription of subscriptions
          .interested(account.ownerId, 'userRevokedAccess')
          .filter((present) => present.clientId === grant.clientId)) {
          notifiers.get(grant.clientId)?.announce({
            collectionType: 'userRevokedAccess',
            ownerId: account.ownerId,
            ownerType: 'user',
            subscriptionId: subscription.subscriptionId,
          });
        }
        subscriptions.dropOwner(grant.clientId, account.ownerId);
      }
      parts.save();
    },
  });
  const notifierOf = (clientId: string) => {
    const notifier = notifiers.get(clientId);
    if (!notifier) throw new AppError({ code: 'application_unknown', kind: 'not_found', message: 'No application of this client id' });
    return notifier;
  };

  const server = createServer(parts);
  await server.listen({ port: options.port ?? 0, host });
  const address = server.server.address();
  url = httpAddress(host, typeof address === 'object' && address ? address.port : 0);

  return {
    url,
    endpoints: {
      authorizeUrl: `${url}/oauth2/authorize`,
      tokenUrl: `${url}/oauth2/token`,
      revokeUrl: `${url}/oauth2/revoke`,
      apiBaseUrl: url,
    },
    get accounts() {
      return accounts.list().map(toHandle);
    },
    faults,
    addAccount: (spec) => toHandle(accounts.add(spec)),
    registerSubscriber: (clientId, subscriber) => notifierOf(clientId).register(subscriber.url, subscriber.verificationCode),
    subscriberState: (clientId) => notifierOf(clientId).state(),
    publish: publisher.publish,
    startTicking: publisher.startTicking,
    notificationsSettled: async () => void (await Promise.all([...notifiers.values()].map((notifier) => notifier.settled()))),
    statistics: () => statistics.read(),
    async close() {
      closing.abort();
      await Promise.all([...notifiers.values()].map((notifier) => notifier.settled()));
      await server.close();
    },
  };
}
