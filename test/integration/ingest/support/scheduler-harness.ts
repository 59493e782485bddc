import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { compose, type SchedulerService } from '@pulsewire/service-scheduler';
import { encryptionKeys, type Harness } from './harness.ts';

/** The scheduler as its process runs it, on a harness's database, providers and clock. */
export function composeScheduler(
  databaseUrl: string,
  harness: Harness,
  over: { readonly vaultDays?: number; readonly packAfterDays?: number } = {},
): Promise<SchedulerService> {
  return compose(
    {
      databaseUrl,
      encryptionKeys,
      logDays: 30,
      attemptsDays: 90,
      auditDays: 400,
      receiptsDays: 30,
      pushesDays: 6,
      vaultDays: 14,
      ...over,
    },
    {
      providers: { connectorFor: harness.plan.connectorFor, platformApplication: () => null },
      logger: silentLogger,
      metrics: noMetrics,
      clock: harness.clock,
    },
  );
}
