import { AppError } from '@pulsewire/kernel';
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

/** Publishes data of accounts on request. */
export function createPublisher(parts: SimulatorParts<FitbitPerson>) {
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

  return { publish };
}
