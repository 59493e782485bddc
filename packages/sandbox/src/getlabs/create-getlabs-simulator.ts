import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../net/listen.ts';
import { createCompany, type Reply } from './company.ts';
import { createTokens } from './tokens.ts';
import type { GetlabsFault, GetlabsSimulator } from './types.ts';

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function respond(response: ServerResponse, { status, body }: Reply): void {
  const maintenance = String(status === 503);
  response.writeHead(status, { 'content-type': 'application/json', 'maintenance-mode': maintenance }).end(JSON.stringify(body));
}

const failures: Partial<Record<GetlabsFault, Reply>> = {
  refused: { status: 422, body: { message: 'Refused' } },
  taken: { status: 409, body: { message: 'Slot taken' } },
  maintenance: { status: 503, body: { message: 'Maintenance' } },
};

/**
 * A phlebotomy company with the sign-in and the URLs of Getlabs. Unpublished field names are made up, as in the client: this
 * tests the behaviour of the client, not the names.
 */
export async function createGetlabsSimulator({ honoursKeys = false } = {}): Promise<GetlabsSimulator> {
  const [clientId, apiToken, webhookSecret] = ['client', randomBytes(24).toString('hex'), randomBytes(24).toString('hex')];
  const company = createCompany();
  const [faults, calls]: [GetlabsFault[], string[]] = [[], []];
  const repliesByKey = new Map<string, Reply>();
  let origin = '';
  const tokens = createTokens({ clientId, apiToken, audiences: () => [`${origin}/oauth/token`, `${origin}/v2/oauth/token`] });

  function change(method: string, path: string, body: Record<string, unknown>, fault: GetlabsFault): Reply {
    const [, id = '', action] = /^\/v2\/appointment(?:\/([^/]+))?(\/cancel)?$/.exec(path) ?? [];
    if (method === 'POST' && id === '') return company.book(body, fault === 'pending');
    return action === '/cancel' ? company.cancel(id) : company.move(id, body);
  }

  function read({ pathname, searchParams }: URL): Reply {
    const requested = (name: string) => searchParams.get(name) ?? '';
    if (pathname === '/v2/availability')
      return { status: 200, body: { slots: company.slots(requested('zipcode'), requested('startDate'), requested('endDate')) } };
    return pathname === '/v2/appointment' ? company.list(requested('externalId')) : company.find(pathname.split('/').at(-1) ?? '');
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    const method = request.method ?? '';
    calls.push(`${method} ${url.pathname}`);
    const body = await readJson(request);
    if (url.pathname === '/v2/oauth/token') {
      const pair = tokens.grant(body);
      return respond(response, pair ? { status: 200, body: pair } : { status: 400, body: { message: 'Invalid grant' } });
    }
    if (!tokens.isValid(request.headers.authorization)) return respond(response, { status: 401, body: { message: 'Unauthorized' } });
    if (method === 'GET') return respond(response, read(url));
    if (url.pathname === '/v2/patient') return respond(response, { status: 200, body: { id: randomUUID() } });
    const fault = faults.shift() ?? 'none';
    const failure = failures[fault];
    if (failure) return respond(response, failure);
    if (fault === 'lost_call') return void response.destroy();
    const key = String(request.headers['idempotency-key']);
    const reply = (honoursKeys ? repliesByKey.get(key) : undefined) ?? change(method, url.pathname, body, fault);
    repliesByKey.set(key, reply);
    if (fault === 'lost_response') return void response.destroy();
    if (fault !== 'held') respond(response, reply);
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  origin = await listen(server, 0, '127.0.0.1');
  return {
    baseUrl: `${origin}/v2`,
    clientId,
    apiToken,
    webhookSecret,
    appointments: company.appointments,
    active: () => company.appointments.filter(({ status }) => status !== 'canceled'),
    faults,
    calls,
    expireTokens: (how = 'access') => tokens.expire(how),
    webhookOf({ id }) {
      const body = JSON.stringify({ event: 'appointment.updated', data: { id } });
      return { body, headers: { 'x-getlabs-signature': createHmac('sha256', webhookSecret).update(body).digest('hex') } };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
