import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const details: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
};

/** Responds to requests that Node cannot parse, in the shape of all other errors, and closes the connection. */
export function refuseUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, detail] = details[error.code ?? ''] ?? [400, 'Malformed HTTP request'];
  const body = JSON.stringify({ detail });
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
  if (socket.writable) socket.end(head + body);
  socket.destroySoon();
}
