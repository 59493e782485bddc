import { AppError, sleep } from '@pulsewire/kernel';
import type { AccountBook } from './accounts/account-book.ts';
import type { Account } from './accounts/types.ts';
import { publishStep, type PublishOutcome, type Revision } from './publish.ts';
import type { StatisticsBook } from './statistics.ts';
import type { Collection } from './subscriptions/types.ts';

export interface PublishRequest {
  /** Name of the account. */
  readonly account: string;
  readonly minutes: number;
  /** How many past minutes get another value. Default 0. */
  readonly revise?: number;
  /** Whether the last new minute is left incomplete until the next call. Default false. */
  readonly leavesIncomplete?: boolean;
}

export interface TickingOptions {
  readonly everyMs: number;
  /** Minutes of data that each tick makes known for each account. */
  readonly minutes: number;
  /** Share of the ticks, 0..1, that also revise the past and leave their last minute incomplete. Default 0.2. */
  readonly revisionRate?: number;
}

export interface Ticking {
  /** Resolves when no tick is under way any more. */
  stop(): Promise<void>;
}

export interface PublisherContext {
  readonly accounts: AccountBook;
  readonly statistics: StatisticsBook;
  readonly announce: (account: Account, collection: Collection, date: string | undefined) => void;
  readonly random: () => number;
  readonly closing: AbortSignal;
  readonly save: () => void;
  readonly incomplete: ReadonlyMap<string, Revision>;
}

const revisionsPerTickMax = 3;

export function createPublisher(context: PublisherContext) {
  const { accounts, statistics, announce, random, closing, save } = context;
  const incomplete = new Map(context.incomplete);

  function publish(request: PublishRequest): PublishOutcome {
    const outcome = move(request);
    save();
    return outcome;
  }

  function move(request: PublishRequest): PublishOutcome {
    const account = accounts.byName(request.account);
    if (!account) throw new AppError({ code: 'account_unknown', kind: 'not_found', message: 'No account of this name' });
    const step = { minutes: request.minutes, revise: request.revise ?? 0, leavesIncomplete: request.leavesIncomplete ?? false };
    const result = publishStep(account, step, random, incomplete.get(account.name));
    if (result.incomplete) incomplete.set(account.name, result.incomplete);
    else incomplete.delete(account.name);
    statistics.published(result.outcome.minutesAppeared, result.outcome.revisions.length);
    for (const { collection, date } of result.outcome.changes) announce(account, collection, date);
    return result.outcome;
  }

  function startTicking({ everyMs, minutes, revisionRate = 0.2 }: TickingOptions): Ticking {
    const stopping = new AbortController();
    const signal = AbortSignal.any([closing, stopping.signal]);
    const tick = async () => {
      while (!signal.aborted) {
        await sleep(everyMs, signal);
        if (signal.aborted) return;
        for (const account of accounts.list()) {
          const isRevising = random() < revisionRate;
          const revise = isRevising ? 1 + Math.floor(random() * revisionsPerTickMax) : 0;
          move({ account: account.name, minutes, revise, leavesIncomplete: isRevising });
        }
        save();
      }
    };
    const ended = tick();
    return {
      stop() {
        stopping.abort();
        return ended;
      },
    };
  }

  return { publish, startTicking, incomplete: () => Object.fromEntries(incomplete) };
}
