import { connectors as shipped, type Connector } from '@pulsewire/providers';
import { pebble } from './pebble/connector.ts';

/** `all.ts` as it would be with one more line. */
export const connectors: readonly Connector[] = [...shipped, pebble];
