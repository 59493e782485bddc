import { findResource } from '@pulsewire/contract';
import { findIdentity } from '@pulsewire/providers';

/** Most sources of one order. */
const sourcesMax = 50;

const settingPattern = /^source_order(?:\.(\w{1,64}))?$/;
const sourcePattern = /^(\w{1,64})(?:\/\w{1,64})?$/;

const isResource = (name: string) => name === 'default' || ['summary', 'timeseries'].includes(findResource(name)?.kind ?? '');

function isSource(text: string): boolean {
  const provider = sourcePattern.exec(text)?.[1];
  return provider !== undefined && findIdentity(provider) !== undefined;
}

/**
 * The preferred sources that a setting such as `source_order.steps=fitbit/watch,apple_health_kit` names, the best first, by resource;
 * without a resource, of all others. Null removes the order. Undefined: not such a setting, or an unknown resource or source.
 */
export function parseSourceOrder(name: string, value: string): Readonly<Record<string, readonly string[] | null>> | undefined {
  const match = settingPattern.exec(name);
  if (!match || value === '') return undefined;
  const resource = match[1] ?? 'default';
  if (!isResource(resource)) return undefined;
  if (value === 'usual') return { [resource]: null };
  const sources = value.split(',');
  return sources.length <= sourcesMax && sources.every(isSource) ? { [resource]: sources } : undefined;
}

/** In the notation in which they are set. */
export function describeSourceOrder(orders: Readonly<Record<string, readonly string[]>>): string[] {
  const entries = Object.entries(orders).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return ['source_order=usual'];
  return entries.map(([resource, sources]) => `source_order${resource === 'default' ? '' : `.${resource}`}=${sources.join(',')}`);
}
