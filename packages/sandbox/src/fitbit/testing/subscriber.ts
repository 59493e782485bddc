import { createHmac } from 'node:crypto';
import http from 'node:http';
import { listen } from '../../net/listen.ts';

interface SubscriberOptions {
  /** `any`: it accepts every code, which the provider must not tolerate. */
  readonly code?: string;
  readonly clientSecret?: string;
  /** The response to a request with a valid signature. */
  readonly status?: () => number;
}

/** A subscriber as the document describes one: 204 for its code, 404 for others; keeps notifications with a valid signature. */
export async function startSubscriber({ code = 'right', clientSecret = 'secret', status = () => 204 }: SubscriberOptions = {}) {
  const bodies: unknown[][] = [];
  let refused = 0;
  const server = http.createServer((request, response) => {
    const verify = new URL(request.url ?? '/', 'http://localhost').searchParams.get('verify');
    if (request.method === 'GET') return void response.writeHead(verify === code || code === 'any' ? 204 : 404).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const isRight = request.headers['x-fitbit-signature'] === createHmac('sha1', `${clientSecret}&`).update(raw).digest('base64');
      const responseStatus = isRight ? status() : 404;
      if (responseStatus === 204) bodies.push(JSON.parse(raw.toString('utf8')) as unknown[]);
      else refused += 1;
      response.writeHead(responseStatus).end();
    });
  });
  const url = await listen(server, 0, '127.0.0.1');
  return {
    url,
    bodies,
    refused: () => refused,
    notices: () => bodies.flat(),
    close: () => new Promise<void>((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  };
}
