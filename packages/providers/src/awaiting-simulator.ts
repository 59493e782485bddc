import { googleFit } from './google_fit/connector.ts';
import type { Connector } from './kit/types/connector.ts';

/**
 * Connectors without a simulator: their own tests and those of the kit run, but nothing has linked them or stored their data, so they are
 * not offered. A connector whose simulator exists moves to `all.ts`.
 */
export const awaitingSimulator: readonly Connector[] = [googleFit];
