import { StringDecoder } from 'node:string_decoder';
import sax from 'sax';
import { recordItem, sleepItem, statisticsValues, workoutItem, type Attributes } from './apple-items.ts';
import { emptyBatch, itemsPerBatch, type ExportBatch, type ExportPart } from './export-batch.ts';
import { unreadable } from './open-export.ts';

/** Most metadata and statistics of one item; further ones are left out. */
const partsMax = 200;

type Draft = {
  readonly name: string;
  readonly attributes: Attributes;
  readonly metadata: Record<string, string>;
  readonly values: ReturnType<typeof statisticsValues>;
};

const notXml = (cause: unknown) => unreadable('The export is not well-formed XML', cause);

/** Reads the elements of an export one by one; keeps only the items that the caller has not taken yet. */
function createReader() {
  const parser = sax.parser(true);
  let depth = 0;
  let draft: Draft | null = null;
  let batch = emptyBatch();
  let count = 0;

  function finish({ name, attributes, metadata, values }: Draft): void {
    count += 1;
    const sleep = name === 'Record' ? sleepItem(attributes, metadata) : null;
    if (name === 'Workout') batch.workouts.push(workoutItem(attributes, metadata, values));
    else if (sleep) batch.sleep.push(sleep);
    else batch.records.push(recordItem(attributes, metadata));
  }

  parser.onopentag = ({ name, attributes }) => {
    depth += 1;
    const own = attributes as Attributes;
    // Records inside a correlation are listed a second time outside it.
    if (depth === 2 && (name === 'Record' || name === 'Workout')) draft = { name, attributes: own, metadata: {}, values: [] };
    else if (draft && depth === 3 && name === 'MetadataEntry' && Object.keys(draft.metadata).length < partsMax)
      draft.metadata[own['key'] ?? ''] = own['value'] ?? '';
    else if (draft && depth === 3 && name === 'WorkoutStatistics' && draft.values.length < partsMax)
      draft.values.push(...statisticsValues(own));
  };
  parser.onclosetag = () => {
    depth -= 1;
    if (depth !== 1 || !draft) return;
    finish(draft);
    draft = null;
  };
  return {
    // Without a handler the parser throws its errors.
    write(text: string) {
      try {
        parser.write(text);
      } catch (cause) {
        throw notXml(cause);
      }
    },
    end() {
      try {
        parser.close();
      } catch (cause) {
        throw notXml(cause);
      }
    },
    count: () => count,
    take(): ExportBatch {
      const taken = batch;
      [batch, count] = [emptyBatch(), 0];
      return taken;
    },
  };
}

/** Streams the items of an `export.xml` of `bytes` bytes in batches. Throws AppError `export_unreadable`. */
export async function* readAppleXml(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<ExportPart> {
  const reader = createReader();
  const decoder = new StringDecoder('utf8');
  let read = 0;
  const part = (): ExportPart => ({ batch: reader.take(), read, total: bytes, unit: 'bytes' });
  for await (const chunk of chunks) {
    reader.write(decoder.write(Buffer.from(chunk)));
    read += chunk.length;
    if (reader.count() >= itemsPerBatch) yield part();
  }
  reader.write(decoder.end());
  reader.end();
  if (reader.count() > 0) yield part();
}
