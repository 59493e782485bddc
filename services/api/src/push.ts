import type { Connector } from '@pulsewire/providers';
import type { RawRequest } from './http/raw-request.ts';

/** What a provider is told about its push. */
export interface PushAnswer {
  readonly status: number;
  readonly body: string;
}

/** Verifies a provider's push and keeps it safe before it is answered; the work comes later. */
export type ReceivePush = (connector: Connector, request: RawRequest) => Promise<PushAnswer>;
