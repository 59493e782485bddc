import type { Readable } from 'node:stream';
import { isAppError } from '@pulsewire/kernel';
import type { SkippedFile } from './export-batch.ts';
import type { ExportFile } from './open-export.ts';

/** A file beside the health data that cannot be read; it is reported and left out. */
export class BadFileError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
  }
}

/** A day's route of one point per second is a third of it. */
const fileBytesMax = 64 * 1024 * 1024;

async function* limited(stream: Readable): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    read += chunk.length;
    // The archive may state another size than a file has.
    if (read > fileBytesMax) throw new BadFileError('too large');
    yield chunk;
  }
}

/** What `read` makes of a file, or why the file is skipped. */
export async function readFile<T>(file: ExportFile, read: (chunks: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T | SkippedFile> {
  const skipped = (reason: string): SkippedFile => ({ path: file.path, reason });
  if (file.bytes > fileBytesMax) return skipped('too large');
  let stream: Readable | undefined;
  try {
    stream = await file.open();
    return await read(limited(stream));
  } catch (error) {
    if (error instanceof BadFileError) return skipped(error.message);
    // Not ours: the archive is damaged there, or cannot be read any more.
    if (isAppError(error)) throw error;
    return skipped('damaged');
  } finally {
    stream?.destroy();
  }
}

export const isSkipped = (result: object): result is SkippedFile => 'reason' in result;
