import type { Quarantined, Sample } from '@pulsewire/contract';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { msToDay } from '../kit/time/days.ts';
import { readEachOf, type JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import type { MappedRecords, PullWindow } from '../kit/types/connector.ts';
import { eventCodes, type PumpEvent } from './events.ts';
import { pump } from './tandem.ts';

/** Ids of boluses start again after 65,536; parts of one bolus are hours apart at most. */
const partsWithinMs = 12 * 3_600_000;
const automaticCorrection = 2;

interface Part {
  readonly wallMs: number;
  readonly properties: JsonNode;
}

type PartCode = 20 | 21 | 55 | 64 | 65 | 66;

const partCodes: ReadonlySet<number> = new Set<PartCode>([20, 21, 55, 64, 65, 66]);

interface Bolus {
  readonly parts: ReadonlyMap<number, Part>;
  readonly firstMs: number;
}

/** The events of each bolus, joined by its id. */
function groupBoluses(events: readonly PumpEvent[], list: JsonNode, quarantined: Quarantined[]): Bolus[] {
  const open = new Map<number, { parts: Map<number, Part>; firstMs: number }>();
  const all: Bolus[] = [];
  const ofBoluses = events.filter(({ code }) => partCodes.has(code));
  readEachOf('insulin_injection', list, ofBoluses, quarantined, ({ code, wallMs, properties }) => {
    const id = properties.at('bolusId').number();
    let bolus = open.get(id);
    if (bolus === undefined || wallMs - bolus.firstMs > partsWithinMs) {
      bolus = { parts: new Map(), firstMs: wallMs };
      open.set(id, bolus);
      all.push(bolus);
    }
    bolus.parts.set(code, { wallMs, properties });
  });
  return all;
}

function purposeOf({ parts }: Bolus): string {
  const [request, sizes] = [parts.get(eventCodes.bolusRequest)?.properties, parts.get(eventCodes.bolusSizes)?.properties];
  const amount = (node: JsonNode | undefined, key: string) => node?.at(key).optional((value) => value.amount()) ?? 0;
  const hasCarbs = amount(request, 'carbAmount') > 0;
  const hasCorrection = amount(sizes, 'correctionBolusSize') > 0;
  if (hasCarbs) return hasCorrection ? 'mixed' : 'meal';
  return hasCorrection || request?.at('bolusType').value === automaticCorrection ? 'correction' : 'unknown';
}

/** The insulin of a bolus, both parts of an extended one together; undefined before it is completed or when nothing was delivered. */
function readInsulin(bolus: Bolus, { startDate, endDate }: PullWindow, context: RecordMaker): Sample | undefined {
  const { parts, firstMs } = bolus;
  const day = msToDay(firstMs);
  const ended = [parts.get(eventCodes.bolusCompleted), parts.get(eventCodes.extendedCompleted)].filter((part) => part !== undefined);
  if (ended.length === 0 || day < startDate || day > endDate) return undefined;
  const units = ended.reduce((sum, { properties }) => sum + properties.at('insulinDelivered').amount(), 0);
  if (units === 0) return undefined;
  const minutes = parts.get(eventCodes.bolusOptions)?.properties.at('duration').value;
  const isExtended = parts.has(eventCodes.extendedCompleted) || (typeof minutes === 'number' && minutes > 0);
  const zone = context.zoneOn(day);
  const start = zone.toInstant(firstMs);
  const end = zone.toInstant(Math.max(...ended.map(({ wallMs }) => wallMs)));
  return {
    ts: start.ms,
    end: Math.max(start.ms, end.ms),
    value: roundTo(units, 3),
    timezoneOffset: start.offset,
    extra: { delivery_mode: 'bolus', delivery_form: isExtended ? 'extended' : 'standard', bolus_purpose: purposeOf(bolus) },
  };
}

function readCarbs({ parts }: Bolus, { startDate, endDate }: PullWindow, context: RecordMaker): Sample | undefined {
  const request = parts.get(eventCodes.bolusRequest);
  const grams = request?.properties.at('carbAmount').optional((node) => node.amount()) ?? 0;
  if (request === undefined || grams === 0) return undefined;
  const day = msToDay(request.wallMs);
  if (day < startDate || day > endDate) return undefined;
  const { ms, offset } = context.zoneOn(day).toInstant(request.wallMs);
  return { ts: ms, end: ms, value: grams, timezoneOffset: offset };
}

/** Boluses that start in the window, and the carbohydrates for which they were given. */
export function mapBoluses(events: readonly PumpEvent[], list: JsonNode, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const boluses = groupBoluses(events, list, quarantined);
  const insulin = readEachOf('insulin_injection', list, boluses, quarantined, (bolus) => readInsulin(bolus, window, context));
  const carbs = readEachOf('carbohydrates', list, boluses, quarantined, (bolus) => readCarbs(bolus, window, context));
  return {
    records: [...context.samples('insulin_injection', pump, insulin, 'rapid_acting'), ...context.samples('carbohydrates', pump, carbs)],
    quarantined,
  };
}
