import { dayMs, minuteMs } from '@pulsewire/kernel';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { msToDay } from '../kit/time/days.ts';
import type { LocalInstant, Zone } from '../kit/time/zone.ts';
import type { PumpEvent } from './events.ts';

/** An event with the instant of its clock. */
export interface PlacedEvent extends PumpEvent, Pick<LocalInstant, 'ms' | 'offset'> {
  /** Converts another clock of the same event, such as that of a reading which was logged late. */
  instantOf(wallMs: number): LocalInstant;
  /** The clock was set back later for a reason that we do not know, and showed this time once more. */
  readonly isShownAgain: boolean;
}

/** Events of one moment may be logged in another order. */
const stepMsMin = 5 * minuteMs;
/** A clock that lost its date falls back by years. */
const stepMsMax = 25 * 60 * minuteMs;
/** How long after the change of the season a person may set the clock. Before it, one day is allowed. */
const daysUntilSet = 30;

type Convert = (wallMs: number) => LocalInstant;

/**
 * How to read clocks before and after a step back; null unless it follows a change of the season. Pumps do not change their clock by
 * themselves: until their user sets it back, they show summer time.
 */
function explainStep(zone: Zone, lastMs: number, nextMs: number): { readonly before: Convert; readonly after: Convert } | null {
  const winter = zone.offsetAt(zone.toInstant(nextMs).ms + dayMs);
  if (winter === null) return null;
  for (let days = 0; days <= daysUntilSet; days++) {
    const summer: number = zone.offsetAt(nextMs - winter * 1000 - days * dayMs) ?? winter;
    if (summer < winter) return null;
    if (summer === winter) continue;
    if (lastMs - nextMs > (summer - winter) * 1000 + stepMsMin) return null;
    const readIn =
      (offset: number): Convert =>
      (wallMs) => {
        const ms = wallMs - offset * 1000;
        return { ms, offset: zone.offsetAt(ms), kind: 'exact' };
      };
    return { before: readIn(summer), after: readIn(winter) };
  }
  return null;
}

/**
 * Places events, which are in the order of the pump's log, never of its clock: people set it by hand, so it may show a time twice. Where
 * the change of the season explains a step back, the events before it are read in summer time.
 */
export function placeEvents(events: readonly PumpEvent[], context: RecordMaker): PlacedEvent[] {
  const usual: Convert = (wallMs) => context.zoneOn(msToDay(wallMs)).toInstant(wallMs);
  const placed: PlacedEvent[] = [];
  let after: Convert = usual;
  for (let from = 0, to; from < events.length; from = to) {
    to = from + 1;
    while (to < events.length && !isStep(events, to)) to += 1;
    const [last, next] = [events[to - 1], events[to]];
    const step = last && next ? explainStep(context.zoneOn(msToDay(next.wallMs)), last.wallMs, next.wallMs) : null;
    const convert = step?.before ?? after;
    for (const event of events.slice(from, to)) {
      const { ms, offset } = convert(event.wallMs);
      const isShownAgain = next !== undefined && step === null && event.wallMs >= next.wallMs;
      placed.push({ ...event, ms, offset, instantOf: convert, isShownAgain });
    }
    after = step?.after ?? usual;
  }
  return placed;
}

function isStep(events: readonly PumpEvent[], index: number): boolean {
  const step = (events[index - 1]?.wallMs ?? 0) - (events[index]?.wallMs ?? 0);
  return step >= stepMsMin && step <= stepMsMax;
}
