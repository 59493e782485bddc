import { AppError, sleep } from '@pulsewire/kernel';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { SimulatorParts } from '../kit/definition/definition.ts';
import { changeOf, type FitbitPerson } from './person/person.ts';
import type { PublishOutcome, PublishStep } from './person/publish.ts';

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
  /** Minutes of data that each tick publishes for each account. */
  readonly minutes: number;
  /** Share of the ticks, 0..1, that also revise the past and leave their last minute incomplete. Default 0.2. */
  readonly revisionRate?: number;
}

export interface Ticking {
  /** Resolves when no tick is in progress any more. */
  stop(): Promise<void>;
}

const revisionsPerTickMax = 3;

/** Publishes data of accounts, on request or periodically. */
export function createPublisher(parts: SimulatorParts<FitbitPerson>, random: () => number) {
  function move(account: SimAccount<FitbitPerson>, step: PublishStep): PublishOutcome {
    const outcome = account.person.publish(step);
    parts.announce(
      account,
      outcome.changes.map(({ kind, date }) => changeOf(kind, 'created', date)),
    );
    return outcome;
  }

  /** Throws AppError `account_unknown`. */
  function publish(request: PublishRequest): PublishOutcome {
    const account = parts.accounts.byName(request.account);
    if (!account) throw new AppError({ code: 'account_unknown', kind: 'not_found', message: 'No account of this name' });
    const { minutes, revise = 0, leavesIncomplete = false } = request;
    const outcome = move(account, { minutes, revise, leavesIncomplete });
    parts.save();
    return outcome;
  }

  function startTicking({ everyMs, minutes, revisionRate = 0.2 }: TickingOptions): Ticking {
    const stopping = new AbortController();
    const signal = AbortSignal.any([parts.closing, stopping.signal]);
    const tick = async () => {
      while (!signal.aborted) {
        await sleep(everyMs, signal);
        if (signal.aborted) return;
        for (const account of parts.accounts.list()) {
          const isRevising = random() < revisionRate;
          const revise = isRevising ? 1 + Math.floor(random() * revisionsPerTickMax) : 0;
          move(account, { minutes, revise, leavesIncomplete: isRevising });
        }
        parts.save();
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

  return { publish, startTicking };
}
