import type { ProviderRef } from '@pulsewire/contract';
import { manualProviders } from '@pulsewire/connections';
import { providerRef } from '@pulsewire/providers';
import type { ApiContext } from '../context/context.ts';

/** Where our artwork is served. */
export function logoBaseUrl(context: ApiContext): string {
  return `${context.links.baseUrl()}/logos`;
}

/** A provider by its stored slug; for one that is no longer served, the slug is the name. */
export function refOf(context: ApiContext, slug: string): ProviderRef {
  const known = context.links.connectorFor(slug) ?? manualProviders.find((provider) => provider.slug === slug);
  return providerRef(known ?? { slug, name: slug }, logoBaseUrl(context));
}
