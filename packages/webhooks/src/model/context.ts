import type { Clock } from '@pulsewire/kernel';
import type { Cipher, Database } from '@pulsewire/database';
import type { AddressGuard } from '@pulsewire/outbound';

/** Dependencies of the endpoint operations. */
export interface EndpointContext {
  readonly database: Database;
  readonly cipher: Cipher;
  readonly clock: Clock;
  /** Rejects forbidden literal addresses when a URL is set. Host names are checked at each connection. */
  readonly guard?: AddressGuard;
  /** Whether a new URL must be https, as for teams with real users. */
  readonly httpsOnly?: boolean;
  /** Days for which events are kept; no schedule may last longer. */
  readonly keptDays?: number;
}
