import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boundPipelining } from '../process/bound-pipelining.ts';
import { listenError } from '../process/listen-error.ts';
import { untilSent } from '../process/until-sent.ts';
import { respondHealth, healthPaths, type HealthResponse, type HealthEndpoints } from './health-routes.ts';

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

function send(response: ServerResponse, report: HealthResponse): void {
  response.writeHead(report.status, { 'content-type': report.contentType, 'cache-control': 'no-store' });
  response.end(report.body);
}

const plain = (status: number, body: string): HealthResponse => ({ status, contentType: 'text/plain; charset=utf-8', body });

/** Scrapers are a handful, and each response that is not read yet holds the text of all metrics. */
const scrapesMax = 20;

/** Serves the health endpoints on a port of their own, for processes that have no other server. Port 0 picks a free one. */
export async function startHealthServer(
  options: HealthEndpoints & { readonly host: string; readonly port: number },
): Promise<HealthServer> {
  let scrapes = 0;
  const server = createServer({ requestTimeout: 5000, headersTimeout: 5000 }, (request, response) => {
    const path = healthPaths.find((known) => known === request.url?.split('?', 1)[0]);
    request.resume();
    if (path === undefined) return send(response, plain(404, 'not found\n'));
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, plain(405, 'method not allowed\n'));
    if (path === '/metrics') {
      if (scrapes >= scrapesMax) return send(response, plain(503, 'too many scrapes at once\n'));
      scrapes += 1;
      untilSent(response, () => (scrapes -= 1));
    }
    respondHealth(options, path).then(
      (report) => send(response, report),
      () => send(response, plain(500, 'the report could not be created\n')),
    );
  });
  boundPipelining(server);
  server.listen(options.port, options.host);
  await once(server, 'listening').catch((error: unknown) => {
    throw listenError(error, options, { host: 'HEALTH_HOST', port: 'HEALTH_PORT' });
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
