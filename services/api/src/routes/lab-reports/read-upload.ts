import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { ByteReservation } from '@pulsewire/ingest';
import { AppError } from '@pulsewire/kernel';
import { reportBytesMax, reportFilesMax, type ReportFile } from '@pulsewire/labs';
import { bodyChunks, bodyTooLarge } from '../../http/requests/body-chunks.ts';
import type { RawRequest } from '../../context/raw-request.ts';

export interface ReportUpload {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly ReportFile[];
}

/** For part headers and other fields than files. */
const envelopeBytesMax = 64 * 1024;
const uploadMs = 120_000;
/** The parser's value for a part without a content type. */
const undeclared = 'text/plain';

const malformed = (cause?: unknown) =>
  new AppError({ code: 'multipart_malformed', kind: 'invalid', message: 'The body is not valid multipart/form-data', cause });

/**
 * Reads a report's upload: the parts named `file`, at most 10 MB together, and the fields. Its bytes in memory are counted in `hold`, which
 * the caller releases. Throws AppError `multipart_malformed`, `body_too_large`, `body_not_received`, `report_file_invalid` or
 * `push_capacity_exceeded`.
 */
export async function readUpload({ stream, headers }: RawRequest, hold: Pick<ByteReservation, 'add'>): Promise<ReportUpload> {
  const contentType = String(headers['content-type'] ?? '');
  if (!stream || !/^multipart\/form-data\b/i.test(contentType)) throw malformed();
  const parser = createParser(contentType);
  const fields: Record<string, string> = {};
  const files: ReportFile[] = [];
  let failure: Error | undefined;
  const fail = (error: Error) => (failure ??= error);
  const ended = new Promise<void>((resolve) => {
    parser.once('finish', resolve);
    parser.once('error', (cause) => {
      fail(malformed(cause));
      resolve();
    });
  });
  parser.on('filesLimit', () =>
    fail(new AppError({ code: 'report_file_invalid', kind: 'invalid', message: `A report has at most ${reportFilesMax} files` })),
  );
  parser.on('partsLimit', () => fail(malformed()));
  parser.on('field', (name, value) => {
    if (Object.hasOwn(fields, name) || Object.keys(fields).length < 10) fields[name] = value;
  });
  parser.on('file', (name, file, _fileName, _encoding, declaredType) =>
    collect(file, name === 'file', (bytes) => files.push({ bytes, declaredType: declaredType === undeclared ? null : declaredType })),
  );
  for await (const chunk of bodyChunks(stream, { bytesMax: reportBytesMax + envelopeBytesMax, timeMs: uploadMs, of: 'whole' })) {
    if (failure) break;
    hold.add(chunk.length);
    await write(parser, chunk);
  }
  if (!failure) {
    parser.end();
    await ended;
  }
  if (failure) throw failure;
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > reportBytesMax) throw bodyTooLarge();
  return { fields, files };
}

function createParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fields: 10,
        fieldNameSize: 100,
        fieldSize: 1000,
        files: reportFilesMax,
        parts: reportFilesMax + 10,
        headerPairs: 20,
        headerSize: 8192,
      },
    });
  } catch (cause) {
    throw malformed(cause);
  }
}

function collect(file: Readable, isWanted: boolean, onWhole: (bytes: Uint8Array) => void): void {
  const chunks: Uint8Array[] = [];
  file.on('data', (chunk: Uint8Array) => {
    if (isWanted) chunks.push(chunk);
  });
  // A file that ends early makes the parser fail as well.
  file.on('error', () => undefined);
  file.on('end', () => {
    if (isWanted) onWhole(Buffer.concat(chunks));
  });
}

function write(parser: BusboyInstance, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (parser.write(chunk)) resolve();
    else {
      // An error also ends the wait; its own listener reports it.
      parser.once('drain', resolve);
      parser.once('error', () => resolve());
    }
  });
}
