import type { Clock } from '@pulsewire/kernel';
import type { Cipher, Database } from '@pulsewire/database';
import type { AddressGuard } from '@pulsewire/outbound';

/** What managing endpoints needs. */
export interface EndpointContext {
  readonly database: Database;
  readonly cipher: Cipher;
  readonly clock: Clock;
  /** Refuses forbidden literal addresses already here. Names, and everything else, are checked at each connection. */
  readonly guard?: AddressGuard;
  /** Whether a new URL must be https: for teams with real users. */
  readonly httpsOnly?: boolean;
  /** Days for which events are kept: no schedule may last longer. */
  readonly keptDays?: number;
}
