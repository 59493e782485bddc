import { hourMs } from '@pulsewire/kernel';
import type { Quarantined, Sample } from '@pulsewire/contract';
import { isWithin, leaveOut } from '../kit/records/left-out.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { msToDay } from '../kit/time/days.ts';
import { readEachOf, type JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import type { MappedRecords, PullWindow } from '../kit/types/connector.ts';
import type { PlacedEvent } from './clock.ts';
import { eventCodes } from './events.ts';
import { pump } from './tandem.ts';

/**
 * A pump repeats its rate many times a day, so a silence of this length means that it was off. A window is read with as much of a margin:
 * a rate ends alike in all windows.
 */
const rateMsMax = 24 * hourMs;
/** Marks a rate that does not apply. */
const noRate = 65_535;

/**
 * Basal insulin: each commanded rate until the next one. The last one ends at `untilWallMs`, the newest event of the pump, and grows with
 * the next upload; none lasts longer than a day. A rate of 0 yields no sample.
 */
export function mapBasal(
  events: readonly PlacedEvent[],
  list: JsonNode,
  window: PullWindow & { readonly untilWallMs: number },
  context: RecordMaker,
): MappedRecords {
  const quarantined: Quarantined[] = [];
  const rates = events.filter(({ code }) => code === eventCodes.basalDelivery);
  const samples = readEachOf('insulin_injection', list, rates, quarantined, (rate, index): Sample | undefined => {
    const { properties, ms: start, offset } = rate;
    const milliunits = properties.at('commandedRate').amount();
    const day = context.zoneOn(msToDay(rate.wallMs)).dayOf(start);
    if (!isWithin(day, window)) return undefined;
    if (milliunits === 0 || milliunits === noRate) {
      leaveOut(window, 'no_value');
      return undefined;
    }
    // Of a time that the clock showed twice, the later rate counts.
    if (rate.isShownAgain) throw properties.fail('bad_time');
    const next = rates[index + 1]?.ms ?? rate.instantOf(window.untilWallMs).ms;
    const end = Math.min(next, start + rateMsMax);
    if (end <= start) return undefined;
    const units = roundTo(((milliunits / 1000) * (end - start)) / hourMs, 4);
    return { ts: start, end, value: units, timezoneOffset: offset, extra: { delivery_mode: 'basal' } };
  });
  return { records: context.samples('insulin_injection', pump, samples, 'rapid_acting'), quarantined };
}
