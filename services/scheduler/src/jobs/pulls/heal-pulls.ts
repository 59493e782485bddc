import { bringForwardPolls, completeIdleHistories, wakeOverdue, wakePushes } from '@pulsewire/ingest';
import { eachOf } from '../../schedule/each-of.ts';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

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
