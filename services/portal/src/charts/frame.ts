import { h, type ComponentChildren } from 'preact';
import { clockTime, type DayBounds } from './local-day.ts';

/** Units of the drawings; they scale to the width of the page. */
export const width = 960;

export const xOf = ({ fromMs, toMs }: DayBounds, ms: number) => Math.round(((ms - fromMs) / (toMs - fromMs)) * width * 10) / 10;

const hourMs = 3_600_000;
const minuteMs = 60_000;

interface LocalHour {
  readonly ms: number;
  /** `07:00` */
  readonly text: string;
}

/** The full hours of the zone's clock within the bounds that are multiples of `every`. */
function localHours({ fromMs, toMs }: DayBounds, zone: string, every: number): readonly LocalHour[] {
  const minutes = Number(clockTime(fromMs, zone).slice(3));
  const hours: LocalHour[] = [];
  for (let ms = fromMs + ((60 - minutes) % 60) * minuteMs; ms < toMs; ms += hourMs) {
    const text = clockTime(ms, zone);
    if (Number(text.slice(0, 2)) % every === 0) hours.push({ ms, text });
  }
  return hours;
}

/** A line every few hours of the zone's clock. */
export function hourLines(bounds: DayBounds, zone: string, height: number, every: number): readonly ComponentChildren[] {
  return localHours(bounds, zone, every).map(({ ms }) =>
    h('line', { x1: xOf(bounds, ms), x2: xOf(bounds, ms), y1: 0, y2: height, class: 'grid' }),
  );
}

/** The hours below a stack of drawings. */
export function hourLabels(bounds: DayBounds, zone: string, every: number) {
  const labels = localHours(bounds, zone, every).map(({ ms, text }) =>
    h('text', { x: xOf(bounds, ms), y: 14, 'text-anchor': ms === bounds.fromMs ? 'start' : 'middle' }, text),
  );
  return h('svg', { class: 'axis', viewBox: `0 0 ${width} 18`, 'aria-hidden': 'true' }, ...labels);
}
