import type { Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { AppError } from '@pulsewire/kernel';

/** Where an export is from. */
export type ExportFormat = 'apple' | 'health_connect';

/** The health data of an export, streamed while it is unpacked. */
export interface OpenedExport {
  readonly format: ExportFormat;
  /** Bytes when unpacked. */
  readonly bytes: number;
  readonly stream: Readable;
  close(): void;
}

export const unreadable = (message: string, cause?: unknown) =>
  new AppError({ code: 'export_unreadable', kind: 'invalid', message, cause });

/**
 * Apart from folders and routes, an export of Apple Health has two XML files: its data, with a translated name, and a clinical document.
 * One of Health Connect has a single file, a database.
 */
function formatOf({ fileName }: Entry): ExportFormat | null {
  if (/^[^/]+\/[^/]+\.xml$/i.test(fileName) && !fileName.endsWith('export_cda.xml')) return 'apple';
  return /^(?:[^/]+\/)?[^/]+\.db$/i.test(fileName) ? 'health_connect' : null;
}

function findData(zip: ZipFile): Promise<{ readonly entry: Entry; readonly format: ExportFormat }> {
  return new Promise((resolve, reject) => {
    zip.on('error', (cause) => reject(unreadable('The ZIP archive is damaged', cause)));
    zip.on('end', () => reject(unreadable('The archive contains no health data (export.xml or health_connect_export.db)')));
    zip.on('entry', (entry: Entry) => {
      const format = formatOf(entry);
      if (format) resolve({ entry, format });
      else zip.readEntry();
    });
    zip.readEntry();
  });
}

function notOpened(cause: unknown): AppError {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  if (code === 'ENOENT') return unreadable('There is no such file', cause);
  if (typeof code === 'string') return unreadable(`The file cannot be opened (${code})`, cause);
  return unreadable('The file is not a complete ZIP archive', cause);
}

/** Opens an export of Apple Health or Health Connect without unpacking it. Throws AppError `export_unreadable`. */
export async function openExport(file: string): Promise<OpenedExport> {
  const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false }).catch((cause: unknown) => {
    throw notOpened(cause);
  });
  try {
    const { entry, format } = await findData(zip);
    return { format, bytes: entry.uncompressedSize, stream: await zip.openReadStreamPromise(entry), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}
