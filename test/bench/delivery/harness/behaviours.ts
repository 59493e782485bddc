import type { Socket } from 'node:net';

/** How an endpoint of a benchmark treats a request: the second part of its path. */
export type Behaviour = 'ok' | 'hang' | 'drip' | '500' | '429' | 'fate';

const empty = (status: string) => Buffer.from(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
const responses = { ok: empty('200 OK'), '500': empty('500 Internal Server Error'), '429': empty('429 Too Many Requests') };
const dripHead = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
const dripEveryMs = 500;

/** How often an event fails before it is accepted, by its number: every second one fails, a tenth of those forever. */
export function failuresOf(number: number): number {
  if (number % 2 === 0) return 0;
  const die = (((number >>> 1) * 2_654_435_761) % 2 ** 32) / 2 ** 32;
  if (die < 0.1) return Infinity;
  return die < 0.7 ? 1 : die < 0.9 ? 2 : 3;
}

/** Handles a completely read request; true when it was accepted with 2xx. `sightings`: how often this event arrived before. */
export function act(behaviour: string, socket: Socket, number: number, sightings: number): boolean {
  switch (behaviour) {
    case 'hang':
      return false;
    case 'drip':
      drip(socket);
      return false;
    case '500':
    case '429':
      socket.write(responses[behaviour]);
      return false;
    case 'fate':
      if (sightings < failuresOf(number)) {
        // Fails in one of the ways in which receivers fail.
        if ((number + sightings) % 5 === 0) socket.destroy();
        else socket.write(responses['500']);
        return false;
      }
  }
  socket.write(responses.ok);
  return true;
}

function drip(socket: Socket): void {
  socket.write(dripHead);
  const timer = setInterval(() => socket.write('.'), dripEveryMs);
  socket.once('close', () => clearInterval(timer));
}
