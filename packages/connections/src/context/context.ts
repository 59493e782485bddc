import type { Clock, Logger, Metrics } from '@pulsewire/kernel';
import type { Cipher, Database, Tx } from '@pulsewire/database';
import type { Connector, OAuthApplication } from '@pulsewire/providers';
import type { Connection } from '../model/connection.ts';
import type { ProviderGate } from '../providers/provider-gate.ts';

/** Dependencies of token custody, in every process that calls providers. */
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

/** Dependencies of linking, in the process that serves the API. */
export interface LinkContext extends CustodyContext {
  /** Every connector of this process. */
  readonly connectors: readonly Connector[];
  /** Whether users may link this provider: always with OAuth; with passwords and e-mail when the operator enabled it. */
  readonly isEnabled: (slug: string) => boolean;
  /** Our address for browsers and providers, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Signs link tokens; at least 32 characters. */
  readonly linkTokenSecret: string;
  /** Address of the hosted link page; the token is added to its query. */
  readonly linkWebUrl: () => string;
  /** Called in the transaction that stores a new connection, to plan its pulls. */
  readonly onConnected?: (tx: Tx, connection: Connection) => Promise<void>;
  readonly onDeregistered?: (tx: Tx, connection: Connection) => Promise<void>;
  /** The last local day (`YYYY-MM-DD`) that was read from a connection; null: none. Absent: every connection counts as read until today. */
  readonly lastDayRead?: (tx: Tx, connectionId: string) => Promise<string | null>;
}
