import type { PushReply, PushSupport, RawPush } from '@pulsewire/providers';
import type { ByteReservation } from './limits/byte-budget.ts';

export type PushResponse = PushReply;

/** An incoming call. */
export interface IncomingPush extends RawPush {
  /** Instead of `body`, for providers whose pushes are read in parts (`inParts`): the chunks as they arrive. */
  readonly chunks?: AsyncIterable<Uint8Array>;
  /** Counts the bytes in memory of a body that arrives in chunks. */
  readonly hold?: ByteReservation;
}

/** The address that was called. */
export interface PushTarget {
  readonly slug: string;
  readonly support: PushSupport;
  /** The path segment after the slug. */
  readonly segment: string | null;
}
