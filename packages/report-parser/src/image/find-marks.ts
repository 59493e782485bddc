import type { Raster } from './raster.ts';

/** The bounding box of connected ink; right and bottom are inclusive. */
export interface Mark {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Pixels of ink. */
  readonly area: number;
}

type Draft = { -readonly [Key in keyof Mark]: Mark[Key] };

/** Light enough that the thin strokes of serifs stay connected. */
const inkMax = 205;
/** A page with more is grain, not text. */
const marksMax = 300_000;

interface Run {
  readonly start: number;
  readonly end: number;
  readonly label: number;
}

/** The connected marks of ink on a page, mostly one for each character; none when the page is all grain. Linear in the number of pixels. */
export function findMarks({ pixels, width, height }: Raster): readonly Mark[] {
  const drafts: Draft[] = [];
  const parents: number[] = [];
  const rootOf = (label: number) => {
    let root = label;
    while (parents[root] !== root) root = parents[root] ?? root;
    for (let at = label; at !== root;) [at, parents[at]] = [parents[at] ?? root, root];
    return root;
  };
  let above: Run[] = [];
  for (let y = 0; y < height; y++) {
    const runs: Run[] = [];
    let next = 0;
    for (let x = 0; x < width; x++) {
      if ((pixels[y * width + x] ?? 255) >= inkMax) continue;
      const start = x;
      while (x + 1 < width && (pixels[y * width + x + 1] ?? 255) < inkMax) x++;
      let label = -1;
      while (next < above.length && (above[next]?.end ?? 0) < start - 1) next++;
      for (let at = next; at < above.length && (above[at]?.start ?? 0) <= x + 1; at++) {
        const root = rootOf(above[at]?.label ?? 0);
        if (label >= 0) parents[Math.max(label, root)] = Math.min(label, root);
        label = label < 0 ? root : Math.min(label, root);
      }
      if (label < 0) {
        label = drafts.length;
        parents.push(label);
        drafts.push({ left: start, top: y, right: x, bottom: y, area: 0 });
      }
      const draft = drafts[label];
      if (draft) {
        draft.left = Math.min(draft.left, start);
        draft.right = Math.max(draft.right, x);
        draft.bottom = y;
        draft.area += x - start + 1;
      }
      runs.push({ start, end: x, label });
    }
    above = runs;
    if (drafts.length > marksMax) return [];
  }
  drafts.forEach((draft, label) => {
    const whole = drafts[rootOf(label)];
    if (!whole || whole === draft) return;
    whole.left = Math.min(whole.left, draft.left);
    whole.top = Math.min(whole.top, draft.top);
    whole.right = Math.max(whole.right, draft.right);
    whole.bottom = Math.max(whole.bottom, draft.bottom);
    whole.area += draft.area;
  });
  return drafts.filter((_, label) => parents[label] === label);
}
