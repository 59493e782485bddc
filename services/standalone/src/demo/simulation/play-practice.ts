import { noMetrics } from '@pulsewire/kernel';
import { confirmEmailLink, createProviderGate, listEmailLinks, type ConfirmContext, type ProviderSettings } from '@pulsewire/connections';
import { configuredKeys, openCipher } from '@pulsewire/database';
import { dropPlan, openJobs, planConnection } from '@pulsewire/ingest';
import { createHttpClient } from '@pulsewire/outbound';
import type { Clock, Logger } from '@pulsewire/kernel';
import type { Installation } from '../../installation/open-installation.ts';
import type { SimulatedProvider } from './start-simulators.ts';

const lookMs = 2000;
/** More people than a demo has: those whom the simulator does not know stay in the list. */
const batchMax = 500;

export interface PracticeOptions {
  readonly installation: Pick<Installation, 'database' | 'encryption'>;
  /** The simulated ones; those that are linked in other ways are left alone. */
  readonly simulated: readonly SimulatedProvider[];
  readonly providers: ProviderSettings;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Confirms what waits for people whom the simulator knows, as an operator would with `npm run admin -- email-links confirm`. */
async function confirmWaiting(context: ConfirmContext, { simulator }: SimulatedProvider): Promise<void> {
  const waiting = await listEmailLinks(context.database, context.clock, { provider: simulator.slug, limit: batchMax });
  for (const { linkId, email } of waiting) {
    const account = simulator.accounts.find((candidate) => candidate.email.toLowerCase() === email.toLowerCase());
    if (!account) continue;
    // Simulated patients belong to nobody: several users may have the same one.
    await confirmEmailLink(context, { linkId, patientId: account.providerUserId, traceId: null, isForced: true }).catch((error: unknown) =>
      context.logger.warn({ provider: simulator.slug, linkId, error }, 'demo.not_confirmed'),
    );
  }
}

/** Plays the practices of the demo: their simulated patients accept at once. Gives what ends it. */
export async function playPractices(options: PracticeOptions): Promise<() => Promise<void>> {
  const { installation, providers, clock, logger } = options;
  const { database, encryption } = installation;
  const practices = options.simulated.filter(({ connector }) => connector.email !== null);
  if (practices.length === 0) return async () => {};
  const http = createHttpClient({ userAgent: 'Pulsewire demo' });
  const jobs = await openJobs(database);
  const { connectorFor, platformApplication } = providers;
  const planning = { jobs, clock, connectorFor, random: Math.random };
  const context: ConfirmContext = {
    database,
    cipher: await openCipher(database, configuredKeys(database, encryption)),
    clock,
    logger,
    metrics: noMetrics,
    connectorFor,
    platformApplication,
    gate: createProviderGate({ http, clock }),
    onConnected: (tx, connection) => planConnection(planning, tx, connection.connectionId),
    onDeregistered: (tx, connection) => dropPlan(tx, connection.connectionId),
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
