import type { SampleChunk, SampleRun } from './sample-columns.ts';

/** The place of a sample in a scan. */
export interface Position {
  /** Microseconds since the epoch. */
  readonly us: number;
  /** From 1 in the order of the members; 0 sorts before all. */
  readonly member: number;
}

interface Segment {
  readonly run: SampleRun;
  readonly from: number;
  readonly to: number;
}

const isAfter = (run: SampleRun, index: number, { us, member }: Position): boolean => {
  const ownUs = run.timeAt(index) * 1000;
  return ownUs > us || (ownUs === us && run.memberAt(index) > member);
};

/** The first index of a run behind a position. */
function firstAfter(run: SampleRun, position: Position): number {
  let [low, high] = [0, run.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(run, middle, position)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The part of a run behind one position and up to another. */
export function partOf(run: SampleRun, after: Position, until: Position): readonly Segment[] {
  const [from, to] = [firstAfter(run, after), firstAfter(run, until)];
  return from < to ? [{ run, from, to }] : [];
}

const positionOf = ({ run, from }: Segment): Position => ({ us: run.timeAt(from) * 1000, member: run.memberAt(from) });

const isBefore = (a: Position, b: Position) => a.us < b.us || (a.us === b.us && a.member < b.member);

/** Puts the segments of several lists, each in order, into one order. */
function interleave(lists: readonly (readonly Segment[])[]): readonly Segment[] {
  const queues = lists.filter((list) => list.length > 0).map((list) => [...list]);
  const merged: Segment[] = [];
  for (;;) {
    const heads = queues.flatMap((queue) => (queue[0] === undefined ? [] : [{ queue, segment: queue[0], position: positionOf(queue[0]) }]));
    let [first] = heads;
    if (first === undefined) return merged;
    let next: Position | undefined;
    for (const head of heads.slice(1)) {
      if (isBefore(head.position, first.position)) [next, first] = [first.position, head];
      else if (next === undefined || isBefore(head.position, next)) next = head.position;
    }
    const { queue, segment } = first;
    const { run, from, to } = segment;
    // Everything before the next head of another list is taken at once.
    const cut = next === undefined ? to : Math.min(to, Math.max(from + 1, firstAfter(run, { us: next.us, member: next.member - 1 })));
    merged.push({ run, from, to: cut });
    if (cut === to) queue.shift();
    else queue[0] = { run, from: cut, to };
  }
}

/** A chunk of all these samples in order of time and member. Each list is in order. */
export function mergeRuns(lists: readonly (readonly Segment[])[]): SampleChunk {
  const segments = interleave(lists);
  return {
    count: segments.reduce((sum, { from, to }) => sum + to - from, 0),
    visit(from, to, onSample) {
      let at = 0;
      for (const segment of segments) {
        const count = segment.to - segment.from;
        const [start, end] = [Math.max(from - at, 0), Math.min(to - at, count)];
        if (start < end) segment.run.visit(segment.from + start, segment.from + end, onSample);
        at += count;
        if (at >= to) return;
      }
    },
  };
}
