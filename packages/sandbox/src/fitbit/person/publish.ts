import { minuteMs } from '@pulsewire/kernel';
import type { Account } from '../accounts/types.ts';
import { weighingOf } from '../data/body.ts';
import { sleepEndsMs } from '../data/sleep/sleep.ts';
import type { Change } from '../../kit/person/types.ts';
import { addDays } from '../../model/calendar.ts';

export interface PublishOutcome {
  /** New minutes that the provider now has; fewer than requested once the account has caught up with the present. */
  readonly minutesAppeared: number;
  readonly revisions: readonly Revision[];
  /** The changes to be announced. */
  readonly changes: readonly Pick<Change, 'kind' | 'date'>[];
}

export interface Revision {
  readonly date: string;
  readonly minute: number;
  readonly steps: number;
}

export interface PublishStep {
  readonly minutes: number;
  /** How many minutes of the last three hours get another value. */
  readonly revise: number;
  /** Whether the last new minute shows only a part of its steps until the next step completes it. */
  readonly leavesIncomplete: boolean;
}

const revisableMinutes = 180;

/** Advances one account. `incomplete` is the minute that the previous step left unfinished; that of this step is returned. */
export function publishStep(
  account: Account,
  step: PublishStep,
  random: () => number,
  incomplete: Revision | undefined,
): { outcome: PublishOutcome; incomplete: Revision | undefined } {
  const revisions: Revision[] = [];
  const { fromMs, toMs } = account.readTracker(step.minutes);
  if (incomplete && toMs > fromMs) revisions.push(complete(account, incomplete));
  const left = toMs > fromMs && step.leavesIncomplete ? halve(account, toMs - minuteMs) : undefined;
  for (let made = 0; made < step.revise; made++) {
    const revision = reviseOne(account, fromMs, random);
    if (revision) revisions.push(revision);
  }
  const changes = changesOf(account, fromMs, toMs, revisions);
  return {
    outcome: { minutesAppeared: (toMs - fromMs) / minuteMs, revisions, changes },
    incomplete: left ?? (toMs > fromMs ? undefined : incomplete),
  };
}

function complete(account: Account, incomplete: Revision): Revision {
  account.reviseMinute(incomplete.date, incomplete.minute, undefined);
  return { ...incomplete, steps: account.day(incomplete.date)?.steps[incomplete.minute] ?? 0 };
}

function halve(account: Account, instantMs: number): Revision | undefined {
  const { date, minute } = account.zone.toLocal(instantMs);
  const steps = Math.floor((account.day(date)?.steps[minute] ?? 0) / 2);
  return steps > 0 && account.reviseMinute(date, minute, steps) ? { date, minute, steps } : undefined;
}

function reviseOne(account: Account, beforeMs: number, random: () => number): Revision | undefined {
  const { date, minute } = account.zone.toLocal(beforeMs - minuteMs * (1 + Math.floor(random() * revisableMinutes)));
  const present = account.day(date)?.steps[minute];
  if (present === undefined) return undefined;
  const steps = present + 1 + Math.floor(random() * 20);
  return account.reviseMinute(date, minute, steps) ? { date, minute, steps } : undefined;
}

function changesOf(account: Account, fromMs: number, toMs: number, revisions: readonly Revision[]): PublishOutcome['changes'] {
  const activityDates = new Set(revisions.map((revision) => revision.date));
  if (toMs > fromMs) for (const instantMs of [fromMs, toMs - minuteMs]) activityDates.add(account.zone.toLocal(instantMs).date);
  const last = account.zone.toLocal(toMs).date;
  const isNew = (instantMs: number) => instantMs > fromMs && instantMs <= toMs;
  const dates = [addDays(account.zone.toLocal(fromMs).date, -1), account.zone.toLocal(fromMs).date, last];
  const distinctDates = [...new Set(dates)];
  return [
    ...[...activityDates].sort().map((date) => ({ kind: 'activity' as const, date })),
    ...distinctDates.filter((date) => sleepEndsMs(account, date).some(isNew)).map((date) => ({ kind: 'sleep' as const, date })),
    ...distinctDates.filter((date) => isWeighingNew(account, date, isNew)).map((date) => ({ kind: 'body' as const, date })),
  ];
}

function isWeighingNew(account: Account, date: string, isNew: (instantMs: number) => boolean): boolean {
  const weight = weighingOf(account, date);
  return weight !== undefined && isNew(account.zone.toInstant(date, weight.secondOfDay));
}
