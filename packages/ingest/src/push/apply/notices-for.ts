import type { PushNotice } from '@pulsewire/providers';
import type { Pullable } from '../../context/pullable.ts';
import type { PackedPush } from '../../vault/pack-pushed.ts';

/** What a push says of one connection. */
export interface NoticesFor {
  readonly found: Pullable;
  readonly notices: readonly PushNotice[];
  readonly version: bigint;
  /** Of all connections that the push is about. */
  readonly packed: readonly PackedPush[];
  /** What Postgres refuses is set aside (`storeApart`). */
  readonly isApart: boolean;
}
