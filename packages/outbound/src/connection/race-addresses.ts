import type { Socket } from 'node:net';

/** RFC 8305, 5: how long one address may be silent before the next is tried as well. */
const nextAfterMs = 250;

type Done = (error: Error | null, socket: Socket | null) => void;

/** Opens a connection to one address; returns what can be destroyed meanwhile. */
export type OpenConnection = (address: string, done: Done) => { destroy(error?: Error): unknown } | undefined;

/** Ends every connection that is still being opened. */
export type StopRace = () => void;

/**
 * Opens connections to the addresses in their order, the next one when an earlier one failed or was silent for a while. The first that opens
 * is kept and all others are closed; when none opens, `done` gets the error of the last that failed.
 */
export function raceAddresses(addresses: readonly string[], open: OpenConnection, done: Done): StopRace {
  const opening = new Set<{ destroy(error?: Error): unknown }>();
  let next = 0;
  let running = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  const stop: StopRace = () => {
    isOver = true;
    clearTimeout(timer);
    for (const one of opening) one.destroy(new Error('Another address was connected, or the time is up'));
    opening.clear();
  };

  function start(): void {
    clearTimeout(timer);
    const address = addresses[next];
    if (isOver || address === undefined) return;
    next += 1;
    running += 1;
    const socket = open(address, (error, opened) => {
      running -= 1;
      if (socket !== undefined) opening.delete(socket);
      if (isOver) return void opened?.destroy();
      if (error === null) {
        stop();
        return done(null, opened);
      }
      if (next < addresses.length) return start();
      if (running === 0) {
        stop();
        done(error, null);
      }
    });
    if (socket !== undefined && !isOver) opening.add(socket);
    if (next < addresses.length) timer = setTimeout(start, nextAfterMs);
  }

  start();
  return stop;
}
