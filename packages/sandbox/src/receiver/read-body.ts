import type { IncomingMessage } from 'node:http';

/**
 * The body as text, or undefined when it is larger than `bytesMax` or the request is aborted. The rest of a body that is too
 * large is read and discarded.
 */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', () => resolve(bytes > bytesMax ? undefined : Buffer.concat(chunks).toString('utf8')));
    // After an end this changes nothing: a promise settles once.
    request.on('close', () => resolve(undefined));
  });
}
