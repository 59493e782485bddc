import { extendDemos } from '@pulsewire/connections';
import { dayMs } from '@pulsewire/kernel';
import {
  bringForwardPolls,
  completeIdleHistories,
  createFillDemo,
  mergeReadWindows,
  planDuePulls,
  wakeOverdue,
  wakePushes,
} from '@pulsewire/ingest';
import { eachOf } from '../schedule/each-of.ts';
import type { ScheduledJob } from '../schedule/scheduled-job.ts';

const plansMax = 500;

export const planDuePullsJob: ScheduledJob = {
  name: 'plan_due_pulls',
  description: 'Turns polls that are due into windows and ticks.',
  cron: '*/15 * * * * *',
  isShared: true,
  // Work that became due while no scheduler ran must not wait for the first scheduled run.
  atStart: true,
  async run({ database, plan, logger }, signal) {
    let connections = 0;
    let count = plansMax;
    while (count === plansMax && !signal.aborted) {
      count = await planDuePulls({ ...plan, database, logger }, plansMax);
      connections += count;
    }
    return connections > 0 ? { connections } : undefined;
  },
};

export const mergeWindowsJob: ScheduledJob = {
  name: 'merge_windows',
  description: 'Merges windows of days that were read before anything that is kept refers to them, so that polls do not fill the table.',
  cron: '50 40 * * * *',
  async run({ database, clock, retention }, signal) {
    const { vaultDays, receiptsDays, pushesDays } = retention;
    const before = new Date(clock.now().getTime() - (Math.max(vaultDays, receiptsDays, pushesDays) + 1) * dayMs);
    const merged = await mergeReadWindows(database, before, signal);
    return merged > 0 ? { merged } : undefined;
  },
};

// A tick that only waits for a free worker is not lost; waking it again would be harmless but useless.
const tickGraceMs = 20_000;
const pushGraceMs = 60_000;

export const healPullsJob: ScheduledJob = {
  name: 'heal_pulls',
  description: 'Requests lost work again: polls, ticks, pushes and histories whose worker was killed or whose job was lost.',
  cron: '*/10 * * * * *',
  atStart: true,
  async run({ database, plan, clock }) {
    const before = (graceMs: number) => new Date(clock.now().getTime() - graceMs);
    const [polls = 0, ticks = 0, pushes = 0, histories = 0] = await eachOf([
      () => bringForwardPolls({ database, clock }),
      () => wakeOverdue({ ...plan, database }, before(tickGraceMs)),
      () => wakePushes({ ...plan, database }, before(pushGraceMs)),
      () => completeIdleHistories({ database, clock }),
    ]);
    return polls + ticks + pushes + histories > 0 ? { polls, ticks, pushes, histories } : undefined;
  },
};

const demosMax = 200;

export const extendDemosJob: ScheduledJob = {
  name: 'extend_demos',
  description: 'Generates the history of demo connections, and new data every two hours.',
  cron: '25 * * * * *',
  async run({ database, clock, plan }, signal) {
    const demos = await extendDemos({ database, clock, fill: createFillDemo(plan) }, { limit: demosMax, signal });
    return demos > 0 ? { demos } : undefined;
  },
};
