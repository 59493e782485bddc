import { maintainAudit } from '@pulsewire/audit';
import { acceptDay, snapshotHolders } from '@pulsewire/database';
import { maintainLog } from '@pulsewire/eventlog';
import { maintainInbox, maintainVault } from '@pulsewire/ingest';
import { maintainIntake } from '@pulsewire/intake';
import { addDays } from '@pulsewire/kernel';
import { maintainReceipts, packSamples, packStreams } from '@pulsewire/store';
import { maintainAttempts, oldestPendingDay, watchEndpoints, findLongSchedules } from '@pulsewire/webhooks';
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

const streamsPerRun = 5000;

export const packStreamsJob: ScheduledJob = {
  name: 'pack_streams',
  description: 'Packs workout streams that earlier versions stored as JSON, 5,000 per run; does nothing once all are packed.',
  cron: '25 */10 * * * *',
  async run({ database }) {
    const packed = await packStreams(database, streamsPerRun);
    return packed > 0 ? { packed } : undefined;
  },
};

export const packSamplesJob: ScheduledJob = {
  name: 'pack_samples',
  description:
    'Packs the samples of days that are older than `SAMPLES_PACK_AFTER_DAYS`, a few days of one series in each transaction; skips users whose data is being written. Does nothing without the setting.',
  cron: '40 */10 * * * *',
  async run({ database, clock, packAfterDays }, signal) {
    if (packAfterDays === null) return undefined;
    const { day: today } = await acceptDay(database, clock.now());
    const packed = await packSamples(database, { before: addDays(today, -packAfterDays) }, signal);
    return packed.samples > 0 || packed.busy > 0 ? packed : undefined;
  },
};

export const rollStateSegmentsJob: ScheduledJob = {
  name: 'roll_state_segments',
  description:
    'With Kafka: writes a marker to each partition of the compacted topics, so that segments of quiet partitions are closed and compacted and an erased value does not outlive the documented day.',
  cron: '0 7,37 * * * *',
  async run({ segmentRoller }) {
    return segmentRoller?.roll();
  },
};

export const watchEndpointsJob: ScheduledJob = {
  name: 'watch_endpoints',
  description: 'Warns about webhook endpoints whose deliveries all fail, and disables them after five days.',
  cron: '50 */5 * * * *',
  async run({ database, clock }, signal) {
    const seen = await watchEndpoints({ database, clock }, signal);
    return Object.values(seen).some((endpoints) => endpoints > 0) ? seen : undefined;
  },
};

export const watchSchedulesJob: ScheduledJob = {
  name: 'watch_schedules',
  description:
    'Warns about endpoints whose retry schedule may outlast the log (`endpoint.schedule_exceeds_retention`), for example after the retention was shortened.',
  cron: '0 17 4 * * *',
  atStart: true,
  async run({ database, logger, retention: { logDays } }) {
    const endpoints = await findLongSchedules(database, logDays);
    for (const { endpointId, teamId, days } of endpoints)
      logger.warn({ endpointId, teamId, scheduleDays: days, keepDays: logDays }, 'endpoint.schedule_exceeds_retention');
    return undefined;
  },
};

const oldSeconds = 60;
/** Limit for snapshots without a start time: a busy log begins this many transactions in a few minutes. */
const oldTransactions = 100_000;

export const watchSnapshotsJob: ScheduledJob = {
  name: 'watch_snapshots',
  description:
    'Measures the oldest snapshot (`database_oldest_snapshot_seconds`, `_transactions`) and warns when one is older than a minute, with its process and application: until it ends, appends to the log get slower.',
  cron: '30 * * * * *',
  async run({ database, logger, custody: { metrics } }) {
    const holders = await snapshotHolders(database);
    metrics.gauge('database_oldest_snapshot_transactions', Math.max(0, ...holders.map(({ ageTransactions }) => ageTransactions)));
    metrics.gauge('database_oldest_snapshot_seconds', Math.max(0, ...holders.map(({ ageSeconds }) => ageSeconds ?? 0)));
    for (const holder of holders)
      if ((holder.ageSeconds ?? 0) >= oldSeconds || holder.ageTransactions >= oldTransactions)
        logger.warn({ ...holder }, 'database.old_snapshot');
    return undefined;
  },
};
