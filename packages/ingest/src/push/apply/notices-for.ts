import type { PushNotice } from '@pulsewire/providers';
import type { Pullable } from '../../context/pullable.ts';
import type { PackedPush } from '../../vault/pack-pushed.ts';

/** The notices of a push for one connection. */
export interface NoticesFor {
  readonly found: Pullable;
  readonly notices: readonly PushNotice[];
  readonly version: bigint;
  /** For all connections that the push concerns. */
  readonly packed: readonly PackedPush[];
  /** Records that Postgres refuses are quarantined (`storeWithQuarantine`). */
  readonly isolatesRefused: boolean;
}
