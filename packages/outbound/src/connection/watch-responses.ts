import type { Socket } from 'node:net';
import { AppError } from '@pulsewire/kernel';
import { createResponseStart } from './response-start.ts';

const staleErrors = new WeakSet<Error>();

/** Whether a connection that had served a request before was closed without any byte of a response to the next one. */
export function isStaleConnection(error: unknown): boolean {
  return error instanceof Error && staleErrors.has(error);
}

/**
 * Watches how each response on a connection begins: makes `100 Continue` acceptable to undici, closes a connection on which the receiver
 * speaks HTTP/2 (AppError `http1_required`), and remembers errors for `isStaleConnection`.
 */
export function watchResponses(socket: Socket): void {
  const start = createResponseStart();
  let hasRead = false;
  let isReused = false;
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...parameters: readonly unknown[]) => boolean;
  // undici writes a request at once and never while it reads a response, so a write begins the next exchange.
  socket.write = (...parameters: readonly unknown[]): boolean => {
    isReused ||= hasRead;
    hasRead = false;
    start.reset();
    return write(...parameters);
  };
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (!Buffer.isBuffer(chunk)) return chunk;
    hasRead = true;
    if (start.take(chunk) !== 'http2') return chunk;
    socket.destroy(new AppError({ code: 'http1_required', kind: 'upstream', message: 'The receiver speaks HTTP/2' }));
    return null;
  };
  // Before undici's own listener, which passes the error on.
  socket.prependListener('error', (error) => {
    if (isReused && !hasRead) staleErrors.add(error);
  });
}
