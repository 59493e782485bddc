import fastify from 'fastify';
import type { RouteResponse } from '../route/route.ts';

/** Styles may be inline because the viewer writes them at run time. Scripts, data and images come only from this server. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// The viewer generates request samples offline, for far more languages than the four that we show:
// curl, JavaScript (fetch), Python (requests) and Go.
const hiddenLanguages = 'c clojure csharp dart fsharp http java julia kotlin node objc ocaml php powershell r ruby rust swift'.split(' ');
const hiddenClients = {
  ...Object.fromEntries(hiddenLanguages.map((language) => [language, true])),
  shell: ['wget', 'httpie'],
  js: ['axios', 'jquery', 'ofetch', 'xhr'],
  python: ['python3', 'aiohttp', 'httpx_sync', 'httpx_async'],
};

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Pulsewire API</title><link rel="icon" href="data:,"></head>
<body><div id="docs"></div><noscript>This page needs JavaScript. The same content as data: <a href="/openapi.json">openapi.json</a></noscript>
<script src="/docs/viewer.js"></script><script src="/docs/start.js"></script></body></html>
`;

// Disables everything that the viewer would load from or send to its vendor; the page's policy would block it too.
/** Starts the viewer: an external file, so that the policy needs no exception for inline scripts. */
export const startScript = `Scalar.createApiReference('#docs', {
  url: '/openapi.json',
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: ${JSON.stringify(hiddenClients)},
  authentication: { preferredSecurityScheme: 'apiKey' },
  generateOperationSlug: ({ operationId, method, path }) => operationId ?? method + path,
});
`;

const headers = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** The page of the API documentation. */
export function viewerPage(): RouteResponse {
  return {
    status: 200,
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': contentSecurityPolicy },
    body: page,
  };
}

/** One of the scripts of the page. */
export function scriptResponse(body: string | Buffer): RouteResponse {
  return { status: 200, headers: { ...headers, 'content-type': 'text/javascript; charset=utf-8' }, body };
}

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
