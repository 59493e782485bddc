import { dayMs } from '@pulsewire/kernel';
import { dayNumber } from '../../model/calendar.ts';
import type { AccountPerson } from '../../kit/person/person.ts';
import type { Change } from '../../kit/person/types.ts';
import { createAccount, type AccountContext } from '../accounts/account.ts';
import type { Account, AccountSnapshot, FitbitAccountSpec } from '../accounts/types.ts';
import { publishStep, type PublishOutcome, type PublishStep, type Revision } from './publish.ts';

/** A person with a tracker whose data was recorded. */
export interface FitbitPerson extends Account, AccountPerson {
  /** Reads the tracker up to a later minute; returns what became known or changed. */
  publish(step: PublishStep): PublishOutcome;
  snapshot(): FitbitPersonSnapshot;
}

export interface FitbitPersonSnapshot extends AccountSnapshot {
  /** The minute that waits for its completion. */
  readonly incomplete?: Revision | undefined;
}

export interface FitbitPersonContext extends AccountContext {
  /** What revisions are drawn from. */
  readonly random: () => number;
  readonly snapshot?: FitbitPersonSnapshot | undefined;
}

const syncMinutes = 3 * 1440;
const revisedMinutes = 20;

/** A change of a date, as the kit announces it. */
export function changeOf(kind: Change['kind'], action: Change['action'], date: string): Change {
  const startMs = dayNumber(date) * dayMs;
  return { kind, action, date, id: date, uuid: date, startMs, endMs: startMs + dayMs };
}

export function createFitbitPerson(spec: FitbitAccountSpec, context: FitbitPersonContext): FitbitPerson {
  const account = createAccount(spec, context);
  let incomplete = context.snapshot?.incomplete;
  function publish(step: PublishStep): PublishOutcome {
    const result = publishStep(account, step, context.random, incomplete);
    incomplete = result.incomplete;
    return result.outcome;
  }
  const changes = (step: PublishStep) =>
    publish(step).changes.map(({ kind, date }) => changeOf(kind, step.minutes > 0 ? 'created' : 'updated', date));
  return {
    ...account,
    truth: null,
    publish,
    sync: () => changes({ minutes: syncMinutes, revise: 0, leavesIncomplete: false }),
    revise: () => changes({ minutes: 0, revise: revisedMinutes, leavesIncomplete: false }),
    // `deleteLogs` of a Fitbit account does this for a day.
    remove: () => [],
    removeMornings: () => [],
    snapshot: () => ({ ...account.snapshot(), ...(incomplete && { incomplete }) }),
  };
}
