import { processDeregistrations } from '@pulsewire/connections';
import { unsubscribe } from '@pulsewire/ingest';
import type { ApiContext } from '../../../context/context.ts';

const deregistrationsMax = 20;

/** Unsubscribes and revokes at the provider right after the response; the scheduler repeats failed or interrupted calls. */
export function settleSoon({ background, links, unsubscribing }: ApiContext): void {
  background.start('settle_deregistrations', (signal) =>
    processDeregistrations(links, {
      limit: deregistrationsMax,
      signal,
      cleanUpProvider: (gone, accessToken, deadline) => unsubscribe(unsubscribing, gone, accessToken, deadline),
    }),
  );
}
