import type { Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { AppError } from '@pulsewire/kernel';

/** The health data of an export, streamed while it is unpacked. */
export interface OpenedExport {
  /** Bytes when unpacked. */
  readonly bytes: number;
  readonly stream: Readable;
  close(): void;
}

const unreadable = (message: string, cause?: unknown) => new AppError({ code: 'export_unreadable', kind: 'invalid', message, cause });

/** Apart from folders and routes, an export has two XML files: its data, with a translated name, and a clinical document. */
const isData = ({ fileName }: Entry) => /^[^/]+\/[^/]+\.xml$/i.test(fileName) && !fileName.endsWith('export_cda.xml');

function findData(zip: ZipFile): Promise<Entry> {
  return new Promise((resolve, reject) => {
    zip.on('error', (cause) => reject(unreadable('The file is a broken ZIP archive', cause)));
    zip.on('end', () => reject(unreadable('The archive holds no health data (export.xml)')));
    zip.on('entry', (entry: Entry) => {
      if (isData(entry)) resolve(entry);
      else zip.readEntry();
    });
    zip.readEntry();
  });
}

/** Opens an `export.zip` of Apple Health without unpacking it to disk. Throws AppError `export_unreadable`. */
export async function openAppleZip(file: string): Promise<OpenedExport> {
  const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false }).catch((cause: unknown) => {
    throw unreadable('The file cannot be read as a ZIP archive', cause);
  });
  try {
    const entry = await findData(zip);
    return { bytes: entry.uncompressedSize, stream: await zip.openReadStreamPromise(entry), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}
