import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { compose, type SchedulerService } from '@pulsewire/service-scheduler';
import { encryptionKeys, type World } from './world.ts';

/** The scheduler as its process runs it, on a world's database, providers and clock. */
export function composeScheduler(databaseUrl: string, world: World, over: { readonly vaultDays?: number } = {}): Promise<SchedulerService> {
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
      providers: { connectorFor: world.plan.connectorFor, platformApplication: () => null },
      logger: silentLogger,
      metrics: noMetrics,
      clock: world.clock,
    },
  );
}
