import { h, type ComponentChildren } from 'preact';
import { sleepStages } from '@pulsewire/contract';
import { hourLines, width, xOf } from './frame.ts';
import { clockTime, type DayBounds } from './local-day.ts';

/** A stretch of one stage. */
export interface StageSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stage: number;
}

/** From the top: the lighter the sleep, the higher. */
export const stageRows = [
  { stage: sleepStages.awake, name: 'Awake', key: 'awake' },
  { stage: sleepStages.rem, name: 'REM', key: 'rem' },
  { stage: sleepStages.light, name: 'Light', key: 'light' },
  { stage: sleepStages.deep, name: 'Deep', key: 'deep' },
] as const;

const rowHeight = 34;
/** The bar of a row lies below its name. */
const [barTop, barHeight] = [15, 15];
const height = rowHeight * stageRows.length;

/** Seconds of each stage. */
export function stageSeconds(spans: readonly StageSpan[], stage: number): number {
  return spans.filter((one) => one.stage === stage).reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs) / 1000, 0);
}

/** `1 h 05 min` */
export function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** The stages of a night as steps, each in its row; time of unknown stage stays empty. */
export function drawHypnogram(spans: readonly StageSpan[], bounds: DayBounds, zone: string) {
  const rowOf = (stage: number) => stageRows.findIndex((row) => row.stage === stage);
  const steps: ComponentChildren[] = [];
  let before: StageSpan | null = null;
  for (const span of spans) {
    const row = rowOf(span.stage);
    if (row === -1) continue;
    const [x, end] = [xOf(bounds, span.fromMs), xOf(bounds, span.toMs)];
    if (before !== null && before.toMs === span.fromMs) {
      const ends = [rowOf(before.stage), row].map((one) => one * rowHeight + barTop + barHeight / 2);
      steps.push(h('line', { x1: x, x2: x, y1: Math.min(...ends), y2: Math.max(...ends), class: 'step' }));
    }
    const title = `${stageRows[row]?.name}, ${clockTime(span.fromMs, zone)} to ${clockTime(span.toMs, zone)}`;
    steps.push(
      h(
        'rect',
        {
          x,
          y: row * rowHeight + barTop,
          width: Math.max(1, Math.round((end - x) * 10) / 10),
          height: barHeight,
          class: `stage ${stageRows[row]?.key}`,
        },
        h('title', null, title),
      ),
    );
    before = span;
  }
  const spoken = stageRows.map(({ stage, name }) => `${name} ${duration(stageSeconds(spans, stage))}`).join(', ');
  return h(
    'figure',
    { class: 'hypnogram' },
    h('ul', { class: 'stage-names', 'aria-hidden': 'true' }, ...stageRows.map(({ name }) => h('li', null, name))),
    h(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Sleep stages: ${spoken}` },
      ...hourLines(bounds, zone, height, 1),
      ...steps,
    ),
  );
}
