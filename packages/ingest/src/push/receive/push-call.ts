import type { PushReply, PushSupport, RawPush } from '@pulsewire/providers';
import type { ByteHold } from './limits/byte-budget.ts';

export type PushResponse = PushReply;

/** A call as it comes in. */
export interface IncomingPush extends RawPush {
  /** Instead of `body`, for providers whose pushes are read in parts (`inParts`): what arrives. */
  readonly chunks?: AsyncIterable<Uint8Array>;
  /** Counts what is in memory of a body that comes in chunks. */
  readonly hold?: ByteHold;
}

/** The address that was called. */
export interface PushTarget {
  readonly slug: string;
  readonly support: PushSupport;
  /** What stands in the path behind the slug. */
  readonly segment: string | null;
}
