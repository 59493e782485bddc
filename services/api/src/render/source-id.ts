import { findIdentity } from '@pulsewire/providers';
import type { ApiContext } from '../context/context.ts';

/** Numbers of providers on the wire; 0 for one that is no longer served. */
export function sourceIdOf(context: ApiContext): (provider: string) => number {
  return (provider) => findIdentity(provider, context.links.connectorFor)?.sourceId ?? 0;
}
