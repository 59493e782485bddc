import type { ByteHold } from '@pulsewire/ingest';
import type { Connector, PushHead, PushReply } from '@pulsewire/providers';
import type { RawRequest } from './raw-request.ts';

/** Turns away what needs no body to be wrong, such as an unknown segment or a signature that is missing; null lets it come. */
export type RejectUnknownAddress = (connector: Connector, segment: string | null, head: PushHead) => Promise<PushReply | null>;

/** A provider's call. Its body is in `body`, or in `chunks` as it arrives. */
export interface PushRequest extends RawRequest {
  readonly chunks?: AsyncIterable<Uint8Array>;
  readonly hold?: ByteHold;
}

/** Verifies a provider's push and stores it before the response; it is processed later. `segment`: of the path, after the slug. */
export type ReceivePush = (connector: Connector, request: PushRequest, segment: string | null) => Promise<PushReply>;
