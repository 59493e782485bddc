import type { FastifyInstance } from 'fastify';
import { cachedAnswer } from '../../docs/cached-response.ts';
import { htmlPage } from '../../docs/page.ts';
import { renderDocs, type OpenApiDocument } from '../../docs/render-docs.ts';
import { renderLogo } from '../../docs/logo.ts';
import { manualProviders } from '@pulsewire/connections';
import { providerRef, type Connector } from '@pulsewire/providers';

export interface SiteOptions {
  readonly document: () => Record<string, unknown>;
  readonly connectors: readonly Connector[];
}

const hidden: Record<string, unknown> = { hide: true };
const dayS = 86_400;

/** What browsers look at: the document, its page and the artwork. Open to everybody, and not part of the document itself. */
export function siteRoutes(app: FastifyInstance, { document, connectors }: SiteOptions): void {
  const json = { 'content-type': 'application/json; charset=utf-8' };
  app.get(
    '/openapi.json',
    { schema: hidden },
    cachedAnswer(() => ({ status: 200, headers: json, body: JSON.stringify(document()) })),
  );
  app.get(
    '/docs',
    { schema: hidden },
    cachedAnswer(() => htmlPage(200, 'Pulsewire API', renderDocs(document() as unknown as OpenApiDocument))),
  );
  // Sources without a connector stand in answers and events with an address too.
  const known = new Set(connectors.map(({ slug }) => slug));
  for (const connector of [...connectors, ...manualProviders.filter(({ slug }) => !known.has(slug))]) {
    // The address that the registry puts into answers and events, whatever it ends in.
    const named = new URL(providerRef(connector, 'https://any.host/logos').logo).pathname;
    for (const path of new Set([`/logos/${connector.slug}.svg`, named]))
      app.get(path, { schema: hidden }, async (_request, reply) =>
        reply
          .headers({
            'content-type': 'image/svg+xml; charset=utf-8',
            'cache-control': `public, max-age=${dayS}`,
            'content-security-policy': "default-src 'none'",
            'x-content-type-options': 'nosniff',
          })
          .send(renderLogo(connector)),
      );
  }
}
