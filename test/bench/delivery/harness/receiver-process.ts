// The receiver in a separate process: endpoints are paths /<number>/<behaviour>, and events are identified by the number in them.
import net, { type Socket } from 'node:net';
import { act } from './behaviours.ts';
import { createRequestReader, numberIn } from './lean-http.ts';
import { Recording } from './recording.ts';
import { serve } from '../../remote.ts';

const sockets = new Set<Socket>();
const recordings = new Map<string, Recording>();
let base = 0;
let port = 0;

function recordingOf(endpoint: string): Recording {
  let recording = recordings.get(endpoint);
  if (recording === undefined) recordings.set(endpoint, (recording = new Recording(base)));
  return recording;
}

const server = net.createServer({ noDelay: true }, (socket) => {
  sockets.add(socket);
  const read = createRequestReader((path, body) => {
    const [, endpoint = '', behaviour = 'ok'] = path.split('/');
    const recording = recordingOf(endpoint);
    const number = numberIn(body);
    if (act(behaviour, socket, number, recording.sightings(number))) recording.taken(number, performance.timeOrigin + performance.now());
    recording.seen(number);
  });
  socket.on('data', read);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => sockets.delete(socket));
});

function listen(): Promise<string> {
  return new Promise((resolve) =>
    server.listen(port, '127.0.0.1', () => {
      ({ port } = server.address() as net.AddressInfo);
      resolve(`http://127.0.0.1:${port}/`);
    }),
  );
}

serve({
  up: listen,
  /** Stops listening: connections are refused. */
  down() {
    server.close();
    for (const socket of sockets) socket.destroy();
  },
  /** Clears all records; events below `from` are only counted from now on. */
  reset(from: number) {
    base = from;
    recordings.clear();
  },
  summary: () => [...recordings].map(([endpoint, recording]) => recording.summary(endpoint)),
  arrivals: (endpoint: string) => recordings.get(endpoint)?.arrivals() ?? new Float64Array(),
});
