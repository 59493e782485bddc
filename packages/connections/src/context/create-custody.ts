import type { Clock, Logger, Metrics } from '@pulsewire/kernel';
import type { Cipher, Database } from '@pulsewire/database';
import type { HttpClient } from '@pulsewire/outbound';
import type { CustodyContext } from './context.ts';
import { createProviderGate } from '../providers/create-provider-gate.ts';
import type { ProviderGate } from '../providers/provider-gate.ts';
import type { ProviderSettings } from '../providers/provider-settings.ts';

export interface CustodyParts {
  readonly database: Database;
  readonly cipher: Cipher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly providers: Pick<ProviderSettings, 'connectorFor' | 'platformApplication'>;
  readonly http: HttpClient;
  /** Default: the gate to the real providers. */
  readonly gate?: ProviderGate | undefined;
}

/** Composes token custody for a process that calls providers. */
export function createCustody({ providers, http, gate, ...parts }: CustodyParts): CustodyContext {
  const { connectorFor, platformApplication } = providers;
  return { ...parts, connectorFor, platformApplication, gate: gate ?? createProviderGate({ http, clock: parts.clock }) };
}
