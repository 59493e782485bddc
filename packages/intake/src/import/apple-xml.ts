import { StringDecoder } from 'node:string_decoder';
import { readElectrocardiogram } from './apple-electrocardiogram.ts';
import { openRoutes } from './apple-routes.ts';
import { emptyBatch, itemsPerBatch, type ExportPart } from './export-batch.ts';
import { unreadable, type OpenedExport } from './open-export.ts';
import { isSkipped, readFile } from './read-file.ts';
import { createXmlReader } from './xml-reader.ts';

type AppleExport = Pick<OpenedExport, 'bytes' | 'files'> & { readonly stream: AsyncIterable<Uint8Array> };
type XmlReader = ReturnType<typeof createXmlReader>;

const rootName = 'HealthData';

function assertExport(reader: XmlReader): void {
  const root = reader.root();
  if (root !== null && root !== rootName)
    throw unreadable(`The XML file is no export of Apple Health: it begins with <${root.slice(0, 40)}> and not with <${rootName}>`);
}

/** Where a damaged export ends, and what of it is stored. */
function damaged(reader: XmlReader, read: number, items: number) {
  const { reason, line } = reader.damage() ?? { reason: '', line: 0 };
  const last = reader.last();
  const whole = last ? `the last whole one is the ${last.name} ${last.type} of ${last.startDate}` : 'there is no whole one';
  return unreadable(
    `The export is damaged near byte ${read}, line ${line}: ${reason}. ${items} items before it are imported; ${whole}. Export the data again`,
  );
}

/** The chunks of the file, until its end or until it cannot be read any more. */
async function* chunksOf(stream: AsyncIterable<Uint8Array>, onFailure: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch {
    onFailure();
  }
}

/**
 * Streams the items of an `export.xml` of `bytes` bytes in batches, and after them the electrocardiograms among `files`; routes are added to
 * their workouts. Files that cannot be read are reported and left out. Throws AppError `export_unreadable`, of a damaged export after all
 * items that could be read.
 */
export async function* readAppleExport({ stream, bytes, files }: AppleExport): AsyncGenerator<ExportPart> {
  const reader = createXmlReader();
  const decoder = new StringDecoder('utf8');
  const routes = openRoutes(files);
  let [read, items] = [0, 0];
  let failure: string | undefined;
  const part = (): ExportPart => {
    const batch = reader.take();
    items += batch.records.length + batch.sleep.length + batch.workouts.length;
    return { batch, read, total: bytes, unit: 'bytes', skipped: routes.takeSkipped(), leftOut: reader.takeLeftOut() };
  };
  // One by one, so that no more routes are held than fit in a batch.
  async function* withRoutes() {
    for (const { item, routePaths } of reader.takeRouted()) {
      const { route, samples } = await routes.read(routePaths);
      reader.add({ ...item, route, samples }, route.length);
      if (reader.count() >= itemsPerBatch) yield part();
    }
  }
  for await (const chunk of chunksOf(stream, () => (failure = 'the archive cannot be read further'))) {
    reader.write(decoder.write(Buffer.from(chunk)));
    assertExport(reader);
    if (reader.damage()) break;
    read += chunk.length;
    yield* withRoutes();
    if (reader.count() >= itemsPerBatch) yield part();
  }
  if (!reader.damage()) {
    reader.write(decoder.end());
    reader.end(failure);
  }
  yield* withRoutes();
  if (!reader.damage()) routes.skipUnused();
  yield part();
  for (const file of files.values()) {
    if (!/\.csv$/i.test(file.path)) continue;
    const found = await readFile(file, readElectrocardiogram);
    const [electrocardiograms, skipped] = isSkipped(found) ? [[], [found]] : [[found], []];
    yield { batch: { ...emptyBatch(), electrocardiograms }, read, total: bytes, unit: 'bytes', skipped };
  }
  if (reader.damage()) throw damaged(reader, read, items);
}
