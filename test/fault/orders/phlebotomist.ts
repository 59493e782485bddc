// A phlebotomy company in a separate process, which may be killed like ours: it stores every booking before it responds. It ignores idempotency
// keys, so each call of `book` that arrives creates another booking, and it responds late or not at all, or changes its decision.
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { sleep } from '@pulsewire/kernel';
import { createRandom } from '../harness/random.ts';
import type { Booking, PartnerRequest } from './booking.ts';

const [, , file = '', port = '0', seed = '1'] = process.argv;
const random = createRandom(Number(seed));
const bookings = new Map<string, Booking>();
const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
for (const line of lines) {
  // The last line is incomplete when the process died while it was writing.
  if (line.endsWith('}')) store(JSON.parse(line) as Booking, false);
}

function store(booking: Booking, isNew = true): Booking {
  bookings.set(booking.providerId, booking);
  if (isNew) appendFileSync(file, `${JSON.stringify(booking)}\n`);
  return booking;
}

const lateMs = 2000;
const slotMs = 7_200_000;
const active = () => [...bookings.values()].filter(({ state }) => state !== 'cancelled');

/** A booking that waits for its confirmation is confirmed when it is old enough. */
function current(booking: Booking): Booking {
  if (booking.state !== 'pending' || Date.now() - booking.bookedAtMs < lateMs) return booking;
  return store({ ...booking, state: 'scheduled' });
}

const handlers: Readonly<Record<string, (request: PartnerRequest) => Booking | null | 'refused'>> = {
  book({ appointmentId, slotId }) {
    if (random() < 0.05) return 'refused';
    const startAtMs = Number(slotId);
    const state = random() < 0.2 ? 'pending' : 'scheduled';
    return store({ providerId: randomUUID(), appointmentId, state, startAtMs, endAtMs: startAtMs + slotMs, bookedAtMs: Date.now() });
  },
  find({ appointmentId }) {
    const found = active().find((booking) => booking.appointmentId === appointmentId);
    return found ? current(found) : null;
  },
  reschedule({ providerId, slotId }) {
    const booking = bookings.get(providerId);
    if (!booking || booking.state === 'cancelled' || random() < 0.05) return 'refused';
    const startAtMs = Number(slotId);
    return store({ ...booking, state: 'scheduled', startAtMs, endAtMs: startAtMs + slotMs });
  },
  cancel({ providerId }) {
    const booking = bookings.get(providerId);
    return booking && booking.state !== 'cancelled' ? store({ ...booking, state: 'cancelled' }) : (booking ?? null);
  },
  get({ providerId }) {
    const booking = bookings.get(providerId);
    return booking ? current(booking) : null;
  },
};

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => void respond(request, response, Buffer.concat(chunks).toString()));
});

async function respond(request: http.IncomingMessage, response: http.ServerResponse, body: string): Promise<void> {
  const name = request.url?.slice(1) ?? '';
  const isCalm = request.headers['x-is-calm'] === 'yes';
  if (name === 'active') return void response.end(JSON.stringify(active()));
  const dice = isCalm ? 1 : random();
  if (dice < 0.04) return void request.socket.destroy();
  const result = handlers[name]?.(JSON.parse(body) as PartnerRequest) ?? null;
  if (dice < 0.08) return void request.socket.destroy();
  if (dice < 0.12) await sleep(lateMs);
  if (dice > 0.12 && dice < 0.14) return void response.writeHead(503).end();
  response.writeHead(result === 'refused' ? 409 : 200).end(JSON.stringify(result));
}

server.listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
});
