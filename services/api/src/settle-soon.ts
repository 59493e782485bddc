import { settleDeregistrations } from '@pulsewire/connections';
import { unsubscribe } from '@pulsewire/ingest';
import type { ApiContext } from './context.ts';

const deregistrationsMax = 20;

/** Unsubscribes and revokes at the provider right after the answer; what fails here, or is cut off by a stop, the scheduler takes up. */
export function settleSoon({ background, links, farewell }: ApiContext): void {
  background.start('settle_deregistrations', (signal) =>
    settleDeregistrations(links, {
      limit: deregistrationsMax,
      signal,
      farewell: (gone, accessToken, deadline) => unsubscribe(farewell, gone, accessToken, deadline),
    }),
  );
}
