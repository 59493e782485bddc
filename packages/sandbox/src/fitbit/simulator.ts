import { demoAccounts } from './accounts/demo-accounts.ts';
import type { FitbitAccountSpec } from './accounts/types.ts';
import { weightLogId } from './data/body.ts';
import { sleepsOf } from './data/sleep/sleep.ts';
import { workoutsOf } from './data/workouts.ts';
import { fitbitDefinition } from './definition.ts';
import { changeOf, type FitbitPerson } from './person/person.ts';
import type { PublishOutcome } from './person/publish.ts';
import { createPublisher, type PublishRequest } from './publisher.ts';
import type { FitbitSimulatorOptions } from './types.ts';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import { openSimulator } from '../kit/create-simulator.ts';
import type { SimulatorParts } from '../kit/definition/definition.ts';
import type { Change } from '../kit/person/types.ts';
import type { ProviderSimulator, SimulatedAccount, SimulatedPushes, SimulatorEndpoints, SimulatorEntry } from '../kit/types.ts';
import { seededRandom } from '../model/seeded.ts';

/** A person's account at the simulated Fitbit, with what the person can do there by hand. */
interface FitbitAccount extends SimulatedAccount {
  /** The first date with data. */
  readonly firstDate: string;
  /** Up to when the provider has data. */
  syncedUntil(): Date;
  /** The person deletes what was logged on a date: the main sleep, the workouts, or the weighing. Subscribers are notified. */
  deleteLogs(kind: 'sleep' | 'workout' | 'weight', date: string): void;
  /** The person moves the beginning of the main sleep: it gets another log id. */
  editSleep(date: string): void;
  logFood(date: string, kcal: number): void;
  deleteFoods(date: string): void;
}

export interface FitbitSimulator extends ProviderSimulator {
  readonly endpoints: SimulatorEndpoints & Readonly<Record<'authorizeUrl' | 'tokenUrl' | 'revokeUrl', string>>;
  readonly accounts: readonly FitbitAccount[];
  readonly pushes: SimulatedPushes;
  addAccount(spec: FitbitAccountSpec): FitbitAccount;
  /** Publishes new minutes and announces them. Never publishes data of the future. */
  publish(request: PublishRequest): PublishOutcome;
}

const kindOf = { sleep: 'sleep', workout: 'workout', weight: 'body' } as const;

function withLogs(handle: SimulatedAccount, account: SimAccount<FitbitPerson>, parts: SimulatorParts<FitbitPerson>): FitbitAccount {
  const { person } = account;
  const announce = (kind: Change['kind'], action: Change['action'], date: string) =>
    parts.announce(account, [changeOf(kind, action, date)]);
  return {
    ...handle,
    firstDate: person.firstDate,
    syncedUntil: () => new Date(person.syncedMs()),
    deleteLogs(kind, date) {
      const sleeps = sleepsOf(person, date).filter(({ isMainSleep }) => isMainSleep);
      const ids = { sleep: sleeps, workout: workoutsOf(person, date), weight: [{ logId: weightLogId(person, date) }] }[kind];
      for (const { logId } of ids) person.logs.delete(logId);
      announce(kindOf[kind], 'deleted', date);
    },
    editSleep(date) {
      person.logs.editSleep(date);
      announce('sleep', 'updated', date);
    },
    logFood(date, kcal) {
      person.logs.logFood(date, kcal);
      announce('meal', 'created', date);
    },
    deleteFoods(date) {
      person.logs.deleteFoods(date);
      announce('meal', 'deleted', date);
    },
  };
}

/** A listening Fitbit. See the README for which data is recorded and which is made up. */
export async function createFitbitSimulator(options: FitbitSimulatorOptions): Promise<FitbitSimulator> {
  const random = seededRandom(`publish:${options.seed ?? 'pulsewire'}`);
  const { simulator, parts } = await openSimulator(fitbitDefinition(options, random), options);
  const toAccount = (handle: SimulatedAccount): FitbitAccount =>
    withLogs(handle, parts.accounts.byName(handle.name) as SimAccount<FitbitPerson>, parts);
  const addAccount = (spec: FitbitAccountSpec) => toAccount(simulator.addAccount(spec));
  for (const spec of options.accounts ?? demoAccounts(5)) addAccount(spec);
  return {
    ...simulator,
    endpoints: simulator.endpoints as FitbitSimulator['endpoints'],
    pushes: simulator.pushes as SimulatedPushes,
    get accounts() {
      return simulator.accounts.map(toAccount);
    },
    addAccount,
    ...createPublisher(parts),
  };
}

export const fitbitEntry: SimulatorEntry = {
  slug: 'fitbit',
  start: (options) => createFitbitSimulator({ ...options, accounts: [], historyDays: 400, batchMs: 1 }),
};
