import type { Socket } from 'node:net';
import { AppError } from '@pulsewire/kernel';

/**
 * Cuts a connection whose other side sends more than `bytesMax`, at most twice as much, without a request in between. Counted is
 * what arrives, also what no parser shows: chunk extensions, blank lines before the status, interim answers, a reason without
 * end, and anything sent unasked. The error is AppError `answer_too_large`.
 */
export function capResponses(socket: Socket, bytesMax: number): void {
  let countedFrom = 0;
  let writtenBefore = 0;
  socket.on('readable', () => {
    if (socket.bytesRead - countedFrom <= bytesMax) return;
    // Checked only now: it costs more than the rest of a response. If we wrote since, the bytes belong to a new request.
    const { bytesWritten } = socket;
    if (bytesWritten === writtenBefore)
      return void socket.destroy(new AppError({ code: 'answer_too_large', kind: 'upstream', message: 'Response exceeds the size limit' }));
    writtenBefore = bytesWritten;
    countedFrom = socket.bytesRead;
  });
}
