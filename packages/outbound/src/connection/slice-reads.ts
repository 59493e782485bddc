import type { Socket } from 'node:net';

/** A typical response is shorter than this, so it is not sliced. */
export const sliceBytes = 1024;

/**
 * Makes a connection deliver `sliceBytes` per read, and nothing after it was destroyed. undici processes everything that a read returns:
 * when a response has more headers or trailers than allowed, it creates an error for each further field, and a read returns up to 64 KiB,
 * about ten thousand fields.
 */
export function sliceReads(socket: Pick<Socket, 'read' | 'readableLength' | 'destroyed'>): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    if (socket.destroyed) return null;
    const { readableLength } = socket;
    return size === undefined && readableLength > sliceBytes ? read(sliceBytes) : read(size);
  };
}
