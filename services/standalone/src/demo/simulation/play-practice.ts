import { noMetrics } from '@pulsewire/kernel';
import { confirmEmailLink, createCustody, listEmailLinks, type ConfirmContext, type ProviderSettings } from '@pulsewire/connections';
import { configuredKeys, openCipher } from '@pulsewire/database';
import { openJobs, planningHooks } from '@pulsewire/ingest';
import { createHttpClient } from '@pulsewire/outbound';
import type { Clock, Logger } from '@pulsewire/kernel';
import type { Installation } from '../../installation/open-installation.ts';
import type { SimulatedProvider } from './start-simulators.ts';

const lookMs = 2000;
/** Above the number of people in a demo, because people unknown to the simulator stay in the list. */
const batchMax = 500;

export interface PracticeOptions {
  readonly installation: Pick<Installation, 'database' | 'encryption'>;
  /** The simulated providers; providers without links by e-mail are ignored. */
  readonly simulated: readonly SimulatedProvider[];
  readonly providers: ProviderSettings;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Confirms waiting links of people known to the simulator, as an operator does with `npm run admin -- email-links confirm`. */
async function confirmWaiting(context: ConfirmContext, { simulator }: SimulatedProvider): Promise<void> {
  const waiting = await listEmailLinks(context.database, context.clock, { provider: simulator.slug, limit: batchMax });
  for (const { linkId, email } of waiting) {
    const account = simulator.accounts.find((candidate) => candidate.email.toLowerCase() === email.toLowerCase());
    if (!account) continue;
    // Several users may have the same simulated patient.
    await confirmEmailLink(context, { linkId, patientId: account.providerUserId, traceId: null, isForced: true }).catch((error: unknown) =>
      context.logger.warn({ provider: simulator.slug, linkId, error }, 'demo.confirm_failed'),
    );
  }
}

/** Simulates the practices of the demo: their patients accept at once. Returns a function that stops it. */
export async function playPractices(options: PracticeOptions): Promise<() => Promise<void>> {
  const { installation, providers, clock, logger } = options;
  const { database, encryption } = installation;
  const practices = options.simulated.filter(({ connector }) => connector.email !== null);
  if (practices.length === 0) return async () => {};
  const http = createHttpClient({ userAgent: 'Pulsewire demo' });
  const jobs = await openJobs(database);
  const cipher = await openCipher(database, configuredKeys(database, encryption));
  const context: ConfirmContext = {
    ...createCustody({ database, cipher, clock, logger, metrics: noMetrics, providers, http }),
    ...planningHooks({ jobs, clock, connectorFor: providers.connectorFor, random: Math.random }),
  };
  let running: Promise<void> = Promise.resolve();
  let isBusy = false;
  const look = async () => {
    for (const practice of practices) await confirmWaiting(context, practice);
  };
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    running = look()
      .catch((error: unknown) => logger.warn({ error }, 'demo.practice_failed'))
      .finally(() => {
        isBusy = false;
      });
  }, lookMs);
  return async () => {
    clearInterval(timer);
    await running;
    await jobs.close();
    http.close();
  };
}
