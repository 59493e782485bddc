import type { EventTransform, TransformContext } from './types.ts';

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A source context with the provider's `name`, `slug` and `logo`, as before their removal.
 * Empty strings for providers outside the catalogue. For events and for reads.
 */
export function withRemovedSourceFields(
  source: Readonly<Record<string, unknown>>,
  context: TransformContext,
): Readonly<Record<string, unknown>> {
  const slug = typeof source['provider'] === 'string' ? source['provider'] : '';
  const provider = context.findProvider(slug);
  return { ...source, name: provider?.name ?? '', slug, logo: provider?.logo ?? '' };
}

/** Restores name, slug and logo in `data.source` of every event with a source context. */
export const addSourceFields: EventTransform = (event, context) => {
  const source = event.data['source'];
  // The source of provider.connection.created is a provider, not a source context; another deprecation adds it.
  if (!isObject(source) || typeof source['provider'] !== 'string') return [event];
  return [{ ...event, data: { ...event.data, source: withRemovedSourceFields(source, context) } }];
};
