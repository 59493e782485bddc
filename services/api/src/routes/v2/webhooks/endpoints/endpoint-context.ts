import type { MessageContext } from '@pulsewire/webhooks';
import type { KeyContext } from '../../../../context/context.ts';

/** What changing an endpoint takes: teams with real users may only name https receivers. */
export function endpointContext({ endpoints, team }: KeyContext): MessageContext {
  return { ...endpoints, httpsOnly: !team.isSandbox };
}
