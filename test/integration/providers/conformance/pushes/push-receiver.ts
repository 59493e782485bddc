import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { PushReply, RawPush } from '@pulsewire/providers';

export interface PushReceiver {
  readonly baseUrl: string;
  respond: (push: RawPush, segment: string | null) => Promise<PushReply>;
  close(): void;
}

/** The edge as providers see it: `/v2/push/<slug>`, followed by the segment. */
export async function startPushReceiver(): Promise<PushReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const segment = url.pathname.split('/')[4] ?? null;
      const push = {
        method: request.method ?? 'POST',
        headers: request.headers,
        query: Object.fromEntries(url.searchParams),
        body: Buffer.concat(chunks),
      };
      receiver.respond(push, segment).then(
        ({ status, body, contentType = 'text/plain' }) => response.writeHead(status, { 'content-type': contentType }).end(body),
        () => response.writeHead(500).end(),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: PushReceiver = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    respond: async () => ({ status: 503, body: '' }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
