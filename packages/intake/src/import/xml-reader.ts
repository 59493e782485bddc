import sax from 'sax';
import { personItem, recordItem, sleepItem, statisticsValues, workoutItem, type Attributes, type Statistic } from './apple-items.ts';
import type { Beat } from './beats.ts';
import { emptyBatch, pointsPerItem, type ExportBatch, type ExportItem } from './export-batch.ts';

/** Most metadata, statistics or beats of one item; further ones are left out. */
const partsMax = 200;
/** Most files of the route of one workout. */
const routesMax = 10;

type Draft = {
  readonly name: string;
  readonly attributes: Attributes;
  readonly metadata: Record<string, string>;
  readonly values: Statistic[];
  readonly beats: Beat[];
  readonly routePaths: string[];
};

/** A workout whose route is in files of its own. */
export interface RoutedWorkout {
  readonly item: ExportItem;
  readonly routePaths: readonly string[];
}

/** The end of what can be read of a damaged export. */
export interface Damage {
  readonly reason: string;
  /** From 1. */
  readonly line: number;
}

/** Elements of which nothing is missing when they are not read: their parts are listed again, or they are of the export itself. */
const unreadOnPurpose: ReadonlySet<string> = new Set(['ExportDate', 'Correlation', 'Me']);

/** Reads the elements of an export one by one; keeps only the items that the caller has not taken yet. */
export function createXmlReader() {
  // Whether the root element was closed is missing in the types.
  const parser = sax.parser(true) as sax.SAXParser & { readonly closedRoot: boolean };
  let depth = 0;
  let draft: Draft | null = null;
  let batch = emptyBatch();
  let count = 0;
  let routed: RoutedWorkout[] = [];
  let leftOut: Record<string, number> = {};
  let damage: Damage | null = null;
  let root: string | null = null;
  let last: { readonly name: string; readonly type: string; readonly startDate: string } | null = null;

  function finish({ name, attributes, metadata, values, beats, routePaths }: Draft): void {
    count += 1;
    last = { name, type: attributes['type'] ?? attributes['workoutActivityType'] ?? '', startDate: attributes['startDate'] ?? '' };
    const sleep = name === 'Record' ? sleepItem(attributes, metadata) : null;
    if (name === 'Workout') {
      const item = workoutItem(attributes, metadata, values);
      if (routePaths.length > 0) routed.push({ item, routePaths });
      else batch.workouts.push(item);
    } else if (sleep) batch.sleep.push(sleep);
    else batch.records.push(recordItem(attributes, metadata, beats));
  }

  const leaveOut = (reason: string) => void (leftOut[reason] = (leftOut[reason] ?? 0) + 1);

  function openItem(name: string, attributes: Attributes): void {
    const person = name === 'Me' ? personItem(attributes) : null;
    if (name === 'Record' || name === 'Workout') draft = { name, attributes, metadata: {}, values: [], beats: [], routePaths: [] };
    else if (person) batch.records.push(person);
    else if (!unreadOnPurpose.has(name)) leaveOut(`no_series (${name})`);
  }

  function openPart({ metadata, values, beats, routePaths }: Draft, name: string, own: Attributes): void {
    if (depth === 3 && name === 'MetadataEntry' && Object.keys(metadata).length < partsMax) metadata[own['key'] ?? ''] = own['value'] ?? '';
    else if (depth === 3 && name === 'WorkoutStatistics' && values.length < partsMax) values.push(...statisticsValues(own));
    else if (depth === 4 && name === 'InstantaneousBeatsPerMinute' && beats.length < partsMax)
      beats.push({ bpm: own['bpm'], time: own['time'] });
    else if (depth === 4 && name === 'FileReference' && routePaths.length < routesMax) routePaths.push(own['path'] ?? '');
    else if (depth === 3 && (name === 'WorkoutEvent' || name === 'WorkoutActivity')) leaveOut(`no_field (${name})`);
  }

  const stopAt = (reason: string) => void (damage ??= { reason, line: parser.line + 1 });
  // The parser goes on after an error and throws it at the next write only, which may never come.
  Object.assign(parser, { onerror: (error: Error) => stopAt(error.message.split('\n')[0] ?? 'not well-formed') });
  parser.onopentag = ({ name, attributes }) => {
    if (damage) return;
    depth += 1;
    root ??= name;
    if (depth === 2) openItem(name, attributes as Attributes);
    else if (draft) openPart(draft, name, attributes as Attributes);
  };
  parser.onclosetag = () => {
    if (damage) return;
    depth -= 1;
    if (depth !== 1 || !draft) return;
    finish(draft);
    draft = null;
  };
  return {
    write(text: string): void {
      if (damage) return;
      parser.write(text);
    },
    /** After the last text, and after the one before a failure to read more. */
    end(failure?: string): void {
      if (failure !== undefined) stopAt(failure);
      else if (root === null) stopAt('it holds no elements');
      else if (!parser.closedRoot) stopAt(`its end is missing: <${root}> is not closed`);
    },
    damage: () => damage,
    root: () => root,
    last: () => last,
    count: () => count,
    takeLeftOut(): Readonly<Record<string, number>> {
      const taken = leftOut;
      leftOut = {};
      return taken;
    },
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
