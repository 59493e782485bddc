import http from 'node:http';
import { sleep } from '@pulsewire/kernel';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Served {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** How long a call takes that arrives or is responded to too late. */
const lateMs = 2000;
const arrivalMaxMs = 4000;

/**
 * Serves a company's interface with faults: calls and responses are lost, responses come late, and calls take effect seconds after the
 * caller has given up. `/state` and `/calm` are for the judge; after the latter there are no faults. Returns whether that was called.
 */
export function serve(port: number, random: () => number, state: () => unknown, handle: (call: Served) => Answer): () => boolean {
  let isCalm = false;

  async function respond(request: http.IncomingMessage, response: http.ServerResponse, body: string): Promise<void> {
    const path = request.url ?? '';
    if (path === '/calm') isCalm = true;
    if (path === '/state' || path === '/calm') return void response.end(JSON.stringify(state()));
    const dice = isCalm ? 1 : random();
    if (dice < 0.04) return void request.socket.destroy();
    if (dice < 0.07) {
      request.socket.destroy();
      await sleep(lateMs + random() * (arrivalMaxMs - lateMs));
      return void handle({ method: request.method ?? '', path, headers: request.headers, body });
    }
    if (dice < 0.09) return void response.writeHead(503).end();
    const { status, body: said } = handle({ method: request.method ?? '', path, headers: request.headers, body });
    if (dice < 0.13) return void request.socket.destroy();
    if (dice < 0.16) await sleep(lateMs);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  }

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void respond(request, response, Buffer.concat(chunks).toString()));
  });
  server.listen(port, '127.0.0.1');
  process.once('SIGTERM', () => process.exit(0));
  return () => isCalm;
}
