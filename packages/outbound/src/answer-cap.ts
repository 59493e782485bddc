import type { Socket } from 'node:net';
import { AppError } from '@pulsewire/kernel';

/**
 * Cuts a connection whose other side sends more than `bytesMax`, at most twice as much, without a request in between. Counted is
 * what arrives, also what no parser shows: chunk extensions, blank lines before the status, interim answers, a reason without
 * end, and anything sent unasked. The error is AppError `answer_too_large`.
 */
export function capAnswers(socket: Socket, bytesMax: number): void {
  let countedFrom = 0;
  let writtenBefore = 0;
  socket.on('readable', () => {
    if (socket.bytesRead - countedFrom <= bytesMax) return;
    // Looked at only now: it costs more than the rest of an answer. Whoever wrote since asked for what has come.
    const { bytesWritten } = socket;
    if (bytesWritten === writtenBefore)
      return void socket.destroy(new AppError({ code: 'answer_too_large', kind: 'upstream', message: 'The answer has no end' }));
    writtenBefore = bytesWritten;
    countedFrom = socket.bytesRead;
  });
}
