import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { listen } from '../net/listen.ts';
import type { LabCompany, LabCompanyFault, LabCompanyOrder, LabCompanyParcel, SignedWebhook } from './types.ts';

type Body = Readonly<Record<string, unknown>>;
interface Reply {
  readonly status: number;
  readonly body: object;
}

const notFound: Reply = { status: 404, body: { message: 'Not found' } };
const late = { status: 422, body: { message: 'Too late' } };
const stopped = new Set(['packing', 'cancelled']);

async function readJson(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? {} : (JSON.parse(text) as Body);
}

const respond = (response: ServerResponse, { status, body }: Reply) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const shown = ({ shipmentId, orderId, sampleId, state, at }: LabCompanyParcel) => ({
  shipment_id: shipmentId,
  order_id: orderId,
  sample_id: sampleId,
  state,
  at,
  outbound: { tracking_number: `OUT-${sampleId}`, tracking_url: `https://courier.example/${sampleId}`, courier: 'Example Courier' },
  inbound: state.includes('lab') ? { tracking_number: `IN-${sampleId}`, tracking_url: null, courier: 'Example Courier' } : {},
  notes: null,
});

/**
 * A lab and a company that sends its test kits, with the interface of partners over HTTP. They remember everything until they are closed.
 */
export async function createLabCompany(options: { readonly port?: number } = {}): Promise<LabCompany> {
  const [orders, parcels] = [new Map<string, LabCompanyOrder>(), new Map<string, LabCompanyParcel>()];
  const [faults, calls]: [LabCompanyFault[], string[]] = [[], []];
  const token = randomBytes(16).toString('hex');
  const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`;

  function readOrder(id: string): Reply {
    const order = orders.get(id);
    return order ? { status: 200, body: { order_id: id, sample_id: order.sampleId, abn_pdf: null } } : notFound;
  }

  function putOrder(orderId: string, request: Body): Reply {
    if (orders.has(orderId)) return readOrder(orderId);
    const sampleId = typeof request['sample_id'] === 'string' ? request['sample_id'] : `LAB-${randomBytes(5).toString('hex')}`;
    orders.set(orderId, { orderId, sampleId, isCancelled: false, request });
    const { abn } = company;
    company.abn = null;
    return { status: 201, body: { order_id: orderId, sample_id: sampleId, abn_pdf: abn } };
  }

  function cancelOrder(orderId: string): Reply {
    const order = orders.get(orderId);
    if (order) order.isCancelled = true;
    return order ? { status: 200, body: {} } : notFound;
  }

  function readParcel(id: string): Reply {
    const parcel = parcels.get(id);
    return parcel ? { status: 200, body: shown(parcel) } : notFound;
  }

  function putParcel(orderId: string, request: Body): Reply {
    if (parcels.has(orderId)) return readParcel(orderId);
    const sampleId = typeof request['sample_id'] === 'string' ? request['sample_id'] : `KIT-${randomBytes(5).toString('hex')}`;
    parcels.set(orderId, { shipmentId: randomUUID(), orderId, sampleId, state: 'packing', at: new Date().toISOString(), request });
    return readParcel(orderId);
  }

  function cancelParcel(orderId: string): Reply {
    const parcel = parcels.get(orderId);
    if (!parcel) return notFound;
    if (!stopped.has(parcel.state)) return late;
    parcel.state = 'cancelled';
    return readParcel(orderId);
  }

  function change(method: string, kind: string, id: string, isCancel: boolean, body: Body): Reply {
    if (kind === 'orders') return isCancel ? cancelOrder(id) : putOrder(id, body);
    return isCancel ? cancelParcel(id) : method === 'PUT' ? putParcel(id, body) : notFound;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? '';
    const url = request.url ?? '';
    calls.push(`${method} ${url}`);
    const body = await readJson(request);
    if (request.headers.authorization !== `Bearer ${token}`) return respond(response, { status: 401, body: {} });
    const [, kind, id = '', cancel] = /^\/(orders|shipments)\/([^/]+)(\/cancel)?$/.exec(url) ?? [];
    if (kind === undefined) return respond(response, notFound);
    if (method === 'GET') return respond(response, kind === 'orders' ? readOrder(id) : readParcel(id));
    const fault = faults.shift() ?? 'none';
    if (fault === 'refused') return respond(response, { status: 422, body: { message: 'Refused' } });
    if (fault === 'unavailable') return respond(response, { status: 503, body: {} });
    if (fault === 'lost_call') return void response.destroy();
    const reply = change(method, kind, id, cancel !== undefined, body);
    if (fault === 'lost_response') return void response.destroy();
    respond(response, reply);
  }

  function sign(content: object): SignedWebhook {
    const [body, id, at] = [JSON.stringify(content), `msg_${randomBytes(8).toString('hex')}`, new Date()];
    const signature = new Webhook(webhookSecret).sign(id, at, body);
    const timestamp = String(Math.floor(at.getTime() / 1000));
    return { body, headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } };
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  const baseUrl = await listen(server, options.port ?? 0, '127.0.0.1');
  const company: LabCompany = {
    baseUrl,
    token,
    webhookSecret,
    get orders() {
      return [...orders.values()];
    },
    get parcels() {
      return [...parcels.values()];
    },
    faults,
    calls,
    abn: null,
    labWebhook: (notices) => sign({ notices }),
    move(orderId, state, at) {
      const parcel = parcels.get(orderId);
      if (!parcel) throw new RangeError('There is no such parcel');
      Object.assign(parcel, { state, at: at.toISOString() });
      return sign({ shipments: [shown(parcel)] });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return company;
}
