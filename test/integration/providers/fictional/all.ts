import { connectors as shipped, type Connector } from '@pulsewire/providers';
import { pebble } from './pebble/connector.ts';

/** What `all.ts` would be with one line more. */
export const connectors: readonly Connector[] = [...shipped, pebble];
