import type { Socket } from 'node:net';

/** A common answer is shorter than this, so nothing is cut for it. */
export const sliceBytes = 1024;

/**
 * Lets a connection give its reader `sliceBytes` at a time, and nothing any more once it was destroyed. undici goes through all that a read
 * gives it: where an answer has more headers or trailers than it may, it makes an error for each further field, and a read gives up to
 * 64 KiB, which are some ten thousand fields.
 */
export function sliceReads(socket: Pick<Socket, 'read' | 'readableLength' | 'destroyed'>): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    if (socket.destroyed) return null;
    const { readableLength } = socket;
    return size === undefined && readableLength > sliceBytes ? read(sliceBytes) : read(size);
  };
}
