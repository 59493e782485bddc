// Labs and a company that sends their test kits, in a separate process, which may be killed like ours. It implements the HTTP interface of
// partners, and its webhooks come late, twice and in any order. Everything that it has promised is in its file.
import { createRandom } from '../harness/random.ts';
import { Webhook } from 'standardwebhooks';
import { type CompanyOrder, type CompanyParcel, type CompanyStep, shownParcel } from './company-model.ts';
import { openJournal } from './journal.ts';
import { serve, type Answer } from './serve.ts';
import { createWebhooks } from './webhooks.ts';

const [, , file = '', port = '0', seed = '1', urls = '', secret = ''] = process.argv;
const random = createRandom(Number(seed));
const webhooks = createWebhooks(urls.split(','), random);
const orders = new Map<string, CompanyOrder>();
const parcels = new Map<string, CompanyParcel>();
/** Steps that no API has confirmed yet. */
const open = new Map<string, CompanyStep>();
let lastMs = 0;
let count = 0;

type Line =
  | { readonly order: CompanyOrder; readonly step?: CompanyStep }
  | { readonly parcel: CompanyParcel; readonly step?: CompanyStep }
  | { readonly confirmed: string };

const write = openJournal<Line>(file, (line) => {
  if ('confirmed' in line) return void open.delete(line.confirmed);
  if ('order' in line) orders.set(line.order.orderId, line.order);
  else parcels.set(line.parcel.orderId, line.parcel);
  if (line.step) open.set(line.step.id, line.step);
});

function announce({ id, path, content }: CompanyStep): void {
  const body = JSON.stringify(content);
  const headers = () => {
    const now = new Date();
    const signature = new Webhook(secret).sign(id, now, body);
    const timestamp = String(Math.floor(now.getTime() / 1000));
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  };
  webhooks.send({ path, body, headers, confirmed: () => write({ confirmed: id }) });
}
for (const step of open.values()) announce(step);

/** The time of a step, later than that of any before it. */
function next(): { readonly at: string; readonly id: string } {
  lastMs = Math.max(Date.now(), lastMs + 1);
  return { at: new Date(lastMs).toISOString(), id: `step-${process.pid}-${++count}-${lastMs}` };
}

function announceOrder(order: CompanyOrder, said: string, notice: object): void {
  const { orderId, sampleId, lab } = order;
  const { at, id } = next();
  const step = { id, path: `lab-${lab}`, content: { notices: [{ order_id: orderId, sample_id: sampleId, at, ...notice }] } };
  write({ order: { ...order, said: [...order.said, said] }, step });
  announce(step);
}

const codes = ['1001', '1002', '1003', '1004'];
const some = () => codes.filter(() => random() < 0.4);

/** A report: partial ones and corrections name some analytes, and one in five values turns out not to be measurable. */
function report(order: CompanyOrder, status: 'partial' | 'final' | 'corrected'): void {
  const [chosen, one] = [some(), codes[Math.floor(random() * codes.length)] ?? ''];
  const named = status === 'final' ? codes : chosen.length > 0 ? chosen : [one];
  const values = Object.fromEntries(named.map((code) => [code, random() < 0.2 ? null : String(70 + Math.floor(random() * 1000) / 10)]));
  const entries = Object.entries(values);
  const results = entries.flatMap(([code, value]) => (value === null ? [] : [{ code, value, unit: 'mg/dL' }]));
  const missing = entries.flatMap(([code, value]) => (value === null ? [{ code, failure: 'quantity_not_sufficient_failure' }] : []));
  const content = { status, collected_at: null, patient: null, results, missing };
  announceOrder({ ...order, values: { ...order.values, ...values } }, status, { kind: 'results', report: content });
}

function move(parcel: CompanyParcel, state: string): void {
  const { at, id } = next();
  const moved = { ...parcel, state, at, way: [...parcel.way, state] };
  const step = { id, path: `kits-${parcel.lab}`, content: { shipments: [shownParcel(moved)] } };
  write({ parcel: moved, step });
  announce(step);
}

const ways: Readonly<Record<string, readonly string[]>> = {
  packing: ['transit_customer'],
  transit_customer: ['out_for_delivery', 'with_customer', 'problem_in_transit_customer'],
  problem_in_transit_customer: ['transit_customer', 'with_customer'],
  out_for_delivery: ['with_customer'],
  with_customer: ['transit_lab'],
  transit_lab: ['delivered_to_lab', 'problem_in_transit_lab'],
  problem_in_transit_lab: ['transit_lab', 'delivered_to_lab'],
};
const draw = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];

/** Reports, and in half of the cases once more at once, so that the webhooks of both overtake each other. */
function reportTwice(order: CompanyOrder, status: 'partial' | 'final' | 'corrected'): void {
  report(order, status);
  if (random() < 0.5) report(orders.get(order.orderId) as CompanyOrder, status === 'partial' ? 'partial' : 'corrected');
}

/** The lab works on one order: a kit only once it has arrived, and no order after its last correction. */
function test(): void {
  const isHere = ({ orderId, isKit }: CompanyOrder) => !isKit || parcels.get(orderId)?.state === 'delivered_to_lab';
  const isReady = (order: CompanyOrder) => !order.isCancelled && isHere(order) && Date.now() - order.placedAtMs > order.testedAfterMs;
  const order = draw([...orders.values()].filter((each) => isReady(each) && !each.isDone));
  if (!order) return;
  if (order.said.includes('final')) {
    if (random() < 0.6 && order.said.filter((said) => said === 'corrected').length < 2) reportTwice(order, 'corrected');
    else write({ order: { ...order, isDone: true } });
  } else if (!order.said.includes('accepted')) announceOrder(order, 'accepted', { kind: 'state', state: 'accepted' });
  else reportTwice(order, random() < 0.5 && order.said.filter((said) => said === 'partial').length < 2 ? 'partial' : 'final');
}

function ship(): void {
  const parcel = draw([...parcels.values()].filter(({ state, sentAfterMs }) => ways[state] !== undefined && Date.now() > sentAfterMs));
  const state = parcel && draw(ways[parcel.state] ?? []);
  if (parcel && state !== undefined) move(parcel, state);
}

const none: Answer = { status: 404, body: {} };
const placed = ({ orderId, sampleId }: CompanyOrder): Answer => ({
  status: 200,
  body: { order_id: orderId, sample_id: sampleId, abn_pdf: null },
});

function handleOrder(method: string, orderId: string, isCancel: boolean, body: Readonly<Record<string, unknown>>): Answer {
  const known = orders.get(orderId);
  if (isCancel) {
    if (known?.said.some((said) => said !== 'accepted')) return { status: 422, body: {} };
    if (known) write({ order: { ...known, isCancelled: true } });
    return known ? { status: 200, body: {} } : none;
  }
  if (known || method === 'GET') return known ? placed(known) : none;
  if (random() < 0.03) return { status: 422, body: { message: 'Refused' } };
  const isKit = body['collection_method'] === 'testkit';
  const sampleId = typeof body['sample_id'] === 'string' ? body['sample_id'] : `LAB-${orderId}`;
  const times = { placedAtMs: Date.now(), testedAfterMs: 3000 + random() * 15_000 };
  write({
    order: { orderId, sampleId, isKit, lab: String(body['lab']), isCancelled: false, isDone: false, said: [], values: {}, ...times },
  });
  return placed(orders.get(orderId) as CompanyOrder);
}

function handleParcel(method: string, orderId: string, isCancel: boolean, body: Readonly<Record<string, unknown>>): Answer {
  const known = parcels.get(orderId);
  if (isCancel && known) {
    if (known.state !== 'packing' && known.state !== 'cancelled') return { status: 422, body: {} };
    write({ parcel: { ...known, state: 'cancelled' } });
  } else if (!known && method === 'PUT') {
    const sampleId = typeof body['sample_id'] === 'string' ? body['sample_id'] : `KIT-${orderId}`;
    const parcel = { orderId, sampleId, lab: String(body['lab']), state: 'packing', way: ['packing'], at: next().at };
    write({ parcel: { ...parcel, sentAfterMs: Date.now() + random() * 6000 } });
  }
  const parcel = parcels.get(orderId);
  return parcel ? { status: 200, body: shownParcel(parcel) } : none;
}

const isCalm = serve(
  Number(port),
  random,
  () => ({ orders: [...orders.values()], parcels: [...parcels.values()], ...webhooks.state() }),
  ({ method, path, headers, body }) => {
    const [, kind, id = '', cancel] = /^\/(orders|shipments)\/([^/]+)(\/cancel)?$/.exec(path) ?? [];
    if (headers.authorization !== `Bearer ${secret}`) return { status: 401, body: {} };
    const json = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
    return (kind === 'orders' ? handleOrder : handleParcel)(method, id, cancel !== undefined, json);
  },
);

setInterval(() => isCalm() || test(), 250);
setInterval(() => isCalm() || ship(), 100);
