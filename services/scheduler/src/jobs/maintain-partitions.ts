import { addDays } from '@pulsewire/kernel';
import { maintainAudit } from '@pulsewire/audit';
import { acceptDay } from '@pulsewire/database';
import { maintainLog } from '@pulsewire/eventlog';
import { maintainInbox, maintainVault } from '@pulsewire/ingest';
import { maintainIntake } from '@pulsewire/intake';
import { maintainReceipts } from '@pulsewire/store';
import { maintainAttempts, oldestPendingDay } from '@pulsewire/webhooks';
import type { ScheduledJob } from '../schedule/scheduled-job.ts';

export const maintainPartitionsJob: ScheduledJob = {
  name: 'maintain_partitions',
  description:
    'Creates upcoming daily partitions and drops those past their retention, each table by the rules of its owner. A clock that jumps ahead moves the calendar by at most a day in half an hour (`clock_ahead_days`).',
  cron: '0 3 * * * *',
  atStart: true,
  async run({ database, clock, logger, custody, retention }) {
    const { day: today, aheadDays } = await acceptDay(database, clock.now());
    custody.metrics.gauge('clock_ahead_days', aheadDays);
    if (aheadDays > 0) logger.warn({ today, aheadDays }, 'calendar.clock_jumped');
    const oldestKept = addDays(today, -retention.logDays);
    const maintainLogDays = async () => {
      const neededFrom = await oldestPendingDay(database, oldestKept);
      const heldDays = neededFrom === null ? 0 : Math.max(0, (Date.parse(oldestKept) - Date.parse(neededFrom)) / 86_400_000);
      custody.metrics.gauge('log_retention_held_days', heldDays);
      if (heldDays > 0) logger.warn({ neededFrom, keepDays: retention.logDays, heldDays }, 'log.kept_for_pending_deliveries');
      return maintainLog(database, { today, keepDays: retention.logDays, neededFrom });
    };
    const owners = [
      maintainLogDays,
      () => maintainAudit(database, { today, keepDays: retention.auditDays }),
      () => maintainReceipts(database, { today, keepDays: retention.receiptsDays }),
      () => maintainAttempts(database, { today, keepDays: retention.attemptsDays }),
      () => maintainInbox(database, { today, keepDays: retention.pushesDays }),
      () => maintainVault(database, { today, keepDays: retention.vaultDays }),
      async () => {
        await maintainIntake(database, { today, keepDays: retention.vaultDays });
        return [];
      },
    ];
    const dropped: string[] = [];
    const failures: unknown[] = [];
    for (const maintain of owners) {
      try {
        dropped.push(...(await maintain()));
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'Some tables were not maintained');
    return dropped.length > 0 ? { dropped } : undefined;
  },
};
