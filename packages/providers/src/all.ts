import { fitbit } from './fitbit/connector.ts';
import type { Connector } from './kit/types.ts';
import { oura } from './oura/connector.ts';

/** Every provider, one line each. */
export const all: readonly Connector[] = [fitbit, oura];
