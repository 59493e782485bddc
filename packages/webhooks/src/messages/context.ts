import type { TransformContext } from '@pulsewire/contract';
import type { EndpointContext } from '../model/context.ts';

/** What reading messages needs: beside endpoints, facts of providers for teams that pinned an old contract date. */
export interface MessageContext extends EndpointContext {
  readonly findProvider: TransformContext['findProvider'];
}
