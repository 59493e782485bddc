import type { Socket } from 'node:net';
import { AppError } from '@pulsewire/kernel';

/**
 * Closes a connection on which more than `bytesMax` (at most twice as much) arrives without a request in between. Counts every byte,
 * including those that the parser does not expose: chunk extensions, blank lines before the status, interim responses, an endless reason
 * phrase, and unrequested data. The error is AppError `response_too_large`.
 */
export function capResponses(socket: Socket, bytesMax: number): void {
  let countedFrom = 0;
  let writtenBefore = 0;
  socket.on('readable', () => {
    if (socket.bytesRead - countedFrom <= bytesMax) return;
    // Checked only here because it is expensive compared to the rest of a response. If we have written since, the bytes belong to a new
    // request.
    const { bytesWritten } = socket;
    if (bytesWritten === writtenBefore)
      return void socket.destroy(
        new AppError({ code: 'response_too_large', kind: 'upstream', message: 'Response exceeds the size limit' }),
      );
    writtenBefore = bytesWritten;
    countedFrom = socket.bytesRead;
  });
}
