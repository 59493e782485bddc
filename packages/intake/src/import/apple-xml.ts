import { StringDecoder } from 'node:string_decoder';
import sax from 'sax';
import { recordItem, sleepItem, statisticsValues, workoutItem, type Attributes } from './apple-items.ts';
import { readElectrocardiogram } from './apple-electrocardiogram.ts';
import { openRoutes } from './apple-routes.ts';
import { emptyBatch, itemsPerBatch, pointsPerItem, type ExportBatch, type ExportItem, type ExportPart } from './export-batch.ts';
import { unreadable, type OpenedExport } from './open-export.ts';
import { isSkipped, readFile } from './read-file.ts';

type AppleExport = Pick<OpenedExport, 'bytes' | 'files'> & { readonly stream: AsyncIterable<Uint8Array> };

/** Most metadata and statistics of one item; further ones are left out. */
const partsMax = 200;
/** Most files of the route of one workout. */
const routesMax = 10;

type Draft = {
  readonly name: string;
  readonly attributes: Attributes;
  readonly metadata: Record<string, string>;
  readonly values: ReturnType<typeof statisticsValues>;
  readonly routePaths: string[];
};

/** A workout whose route is in files of its own. */
interface RoutedWorkout {
  readonly item: ExportItem;
  readonly routePaths: readonly string[];
}

const notXml = (cause: unknown) => unreadable('The export is not well-formed XML', cause);

/** Reads the elements of an export one by one; keeps only the items that the caller has not taken yet. */
function createReader() {
  const parser = sax.parser(true);
  let depth = 0;
  let draft: Draft | null = null;
  let batch = emptyBatch();
  let count = 0;
  let routed: RoutedWorkout[] = [];

  function finish({ name, attributes, metadata, values, routePaths }: Draft): void {
    count += 1;
    const sleep = name === 'Record' ? sleepItem(attributes, metadata) : null;
    if (name === 'Workout') {
      const item = workoutItem(attributes, metadata, values);
      if (routePaths.length > 0) routed.push({ item, routePaths });
      else batch.workouts.push(item);
    } else if (sleep) batch.sleep.push(sleep);
    else batch.records.push(recordItem(attributes, metadata));
  }

  parser.onopentag = ({ name, attributes }) => {
    depth += 1;
    const own = attributes as Attributes;
    // Records inside a correlation are listed a second time outside it.
    if (depth === 2 && (name === 'Record' || name === 'Workout'))
      draft = { name, attributes: own, metadata: {}, values: [], routePaths: [] };
    else if (draft && depth === 3 && name === 'MetadataEntry' && Object.keys(draft.metadata).length < partsMax)
      draft.metadata[own['key'] ?? ''] = own['value'] ?? '';
    else if (draft && depth === 3 && name === 'WorkoutStatistics' && draft.values.length < partsMax)
      draft.values.push(...statisticsValues(own));
    else if (draft && depth === 4 && name === 'FileReference' && draft.routePaths.length < routesMax)
      draft.routePaths.push(own['path'] ?? '');
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
    /** Workouts whose routes have to be read; they are added with them. */
    takeRouted(): readonly RoutedWorkout[] {
      const taken = routed;
      routed = [];
      return taken;
    },
    add(workout: ExportItem, points: number): void {
      batch.workouts.push(workout);
      count += points / pointsPerItem;
    },
    take(): ExportBatch {
      const taken = batch;
      [batch, count] = [emptyBatch(), 0];
      return taken;
    },
  };
}

/**
 * Streams the items of an `export.xml` of `bytes` bytes in batches, and after them the electrocardiograms among `files`; routes are added to
 * their workouts. Files that cannot be read are reported and left out. Throws AppError `export_unreadable`.
 */
export async function* readAppleExport({ stream, bytes, files }: AppleExport): AsyncGenerator<ExportPart> {
  const reader = createReader();
  const decoder = new StringDecoder('utf8');
  const routes = openRoutes(files);
  let read = 0;
  const part = (): ExportPart => ({ batch: reader.take(), read, total: bytes, unit: 'bytes', skipped: routes.takeSkipped() });
  // One by one, so that no more routes are held than fit in a batch.
  async function* withRoutes() {
    for (const { item, routePaths } of reader.takeRouted()) {
      const { route, samples } = await routes.read(routePaths);
      reader.add({ ...item, route, samples }, route.length);
      if (reader.count() >= itemsPerBatch) yield part();
    }
  }
  for await (const chunk of stream) {
    reader.write(decoder.write(Buffer.from(chunk)));
    read += chunk.length;
    yield* withRoutes();
    if (reader.count() >= itemsPerBatch) yield part();
  }
  reader.write(decoder.end());
  reader.end();
  yield* withRoutes();
  routes.skipUnused();
  yield part();
  for (const file of files.values()) {
    if (!/\.csv$/i.test(file.path)) continue;
    const found = await readFile(file, readElectrocardiogram);
    const [electrocardiograms, skipped] = isSkipped(found) ? [[], [found]] : [[found], []];
    yield { batch: { ...emptyBatch(), electrocardiograms }, read, total: bytes, unit: 'bytes', skipped };
  }
}
