import { providerRef, withoutConnector, type Connector } from '@pulsewire/providers';
import type { FastifyInstance } from 'fastify';
import { cachedResponse } from '../../docs/cached-response.ts';
import { renderLogo } from '../../docs/logo.ts';
import { scriptResponse, startScript, viewerPage, readViewerScript } from '../../docs/viewer-page.ts';

export interface SiteOptions {
  readonly document: () => Record<string, unknown>;
  readonly connectors: readonly Connector[];
}

const hidden: Record<string, unknown> = { hide: true };
const dayS = 86_400;

/** The OpenAPI document, its viewer and the logos. They are public and not part of the document. */
export function siteRoutes(app: FastifyInstance, { document, connectors }: SiteOptions): void {
  const json = { 'content-type': 'application/json; charset=utf-8' };
  app.get(
    '/openapi.json',
    { schema: hidden },
    cachedResponse(() => ({ status: 200, headers: json, body: JSON.stringify(document()) })),
  );
  app.get('/docs', { schema: hidden }, cachedResponse(viewerPage));
  app.get(
    '/docs/start.js',
    { schema: hidden },
    cachedResponse(() => scriptResponse(startScript)),
  );
  app.get(
    '/docs/viewer.js',
    { schema: hidden },
    cachedResponse(async () => scriptResponse(await readViewerScript())),
  );
  // Responses and events also contain providers without a connector, with their logo URL.
  const known = new Set(connectors.map(({ slug }) => slug));
  for (const connector of [...connectors, ...withoutConnector.filter(({ slug }) => !known.has(slug))]) {
    // The address that the registry puts into responses and events, whatever its file extension.
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
