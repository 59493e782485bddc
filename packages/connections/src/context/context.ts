import type { Clock, Logger, Metrics } from '@pulsewire/kernel';
import type { Cipher, Database, Tx } from '@pulsewire/database';
import type { Connector, OAuthApplication } from '@pulsewire/providers';
import type { Connection } from '../model/connection.ts';
import type { ProviderGate } from '../providers/provider-gate.ts';

/** What token custody works with: in every process that talks to providers. */
export interface CustodyContext {
  readonly database: Database;
  readonly cipher: Cipher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly connectorFor: (slug: string) => Connector | undefined;
  /** Our own application at a provider, or null when none is configured. */
  readonly platformApplication: (slug: string) => OAuthApplication | null;
  readonly gate: ProviderGate;
}

/** What linking works with: in the process that serves the API. */
export interface LinkContext extends CustodyContext {
  /** Every connector of this process. */
  readonly connectors: readonly Connector[];
  /** Whether the operator lets people link this provider: always with OAuth, by a setting with passwords and e-mail. */
  readonly isEnabled: (slug: string) => boolean;
  /** Our address as browsers and providers see it, without a slash at the end. */
  readonly baseUrl: () => string;
  /** Signs link tokens; 32 characters at least. */
  readonly linkTokenSecret: string;
  /** Where the hosted link page lives; the token goes into its query. */
  readonly linkWebUrl: () => string;
  /** Called in the transaction that stores a new connection: whoever plans pulls does it here. */
  readonly onConnected?: (tx: Tx, connection: Connection) => Promise<void>;
  readonly onDeregistered?: (tx: Tx, connection: Connection) => Promise<void>;
}
