import type { ByteReservation } from '@pulsewire/ingest';
import type { Connector, PushHead, PushReply } from '@pulsewire/providers';
import type { RawRequest } from './raw-request.ts';

/** Rejects a call that is invalid without its body, such as for an unknown segment or a missing signature; null admits it. */
export type RejectUnknownAddress = (connector: Connector, segment: string | null, head: PushHead) => Promise<PushReply | null>;

/** A provider's request. The body is in `body`, or streamed in `chunks`. */
export interface PushRequest extends RawRequest {
  readonly chunks?: AsyncIterable<Uint8Array>;
  readonly hold?: ByteReservation;
}

/** Verifies a provider's push and stores it before the response; it is processed later. `segment`: the path segment after the slug. */
export type ReceivePush = (connector: Connector, request: PushRequest, segment: string | null) => Promise<PushReply>;
