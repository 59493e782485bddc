import fastify from 'fastify';

/**
 * The script of the viewer, 4 MB, taken from the npm package that contains it as one text. The package only offers it through its Fastify
 * plugin, which also serves a page with an inline script and links to a CDN; so we inject a request into a server that never listens.
 * Imported on first use, because most processes never show the documentation.
 */
export async function readViewerScript(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const server = fastify();
  try {
    await server.register(scalar, { routePrefix: '/viewer', configuration: { url: '/openapi.json' } });
    const { statusCode, rawPayload } = await server.inject('/viewer/js/scalar.js');
    if (statusCode !== 200) throw new Error(`The documentation viewer has no script: status ${statusCode}`);
    return rawPayload;
  } finally {
    await server.close();
  }
}
