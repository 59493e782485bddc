import type { Quarantined, Sample } from '@pulsewire/contract';
import { isWithin } from '../kit/records/left-out.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { msToDay } from '../kit/time/days.ts';
import { readEachOf, type JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import type { MappedRecords, PullWindow } from '../kit/types/connector.ts';
import type { PlacedEvent } from './clock.ts';
import { eventCodes } from './events.ts';
import { pump } from './tandem.ts';

/** Ids of boluses start again after 65,536; parts of one bolus are hours apart at most. */
const partsWithinMs = 12 * 3_600_000;
const automaticCorrection = 2;

type Part = Pick<PlacedEvent, 'wallMs' | 'ms' | 'offset' | 'properties'>;

type PartCode = 20 | 21 | 55 | 64 | 65 | 66;

const partCodes: ReadonlySet<number> = new Set<PartCode>([20, 21, 55, 64, 65, 66]);

interface Bolus {
  readonly parts: ReadonlyMap<number, Part>;
  readonly first: Part;
}

/** The events of each bolus, joined by its id. */
function groupBoluses(events: readonly PlacedEvent[], list: JsonNode, quarantined: Quarantined[]): Bolus[] {
  const open = new Map<number, { parts: Map<number, Part>; first: Part }>();
  const all: Bolus[] = [];
  const ofBoluses = events.filter(({ code }) => partCodes.has(code));
  readEachOf('insulin_injection', list, ofBoluses, quarantined, (part) => {
    const id = part.properties.at('bolusId').number();
    let bolus = open.get(id);
    if (bolus === undefined || part.ms - bolus.first.ms > partsWithinMs) {
      bolus = { parts: new Map(), first: part };
      open.set(id, bolus);
      all.push(bolus);
    }
    bolus.parts.set(part.code, part);
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

const dayOf = ({ wallMs, ms }: Part, context: RecordMaker): string => context.zoneOn(msToDay(wallMs)).dayOf(ms);

/** The insulin of a bolus, both parts of an extended one together; undefined before it is completed or when nothing was delivered. */
function readInsulin(bolus: Bolus, window: PullWindow, context: RecordMaker): Sample | undefined {
  const { parts, first } = bolus;
  const day = dayOf(first, context);
  const ended = [parts.get(eventCodes.bolusCompleted), parts.get(eventCodes.extendedCompleted)].filter((part) => part !== undefined);
  if (ended.length === 0 || !isWithin(day, window)) return undefined;
  const units = ended.reduce((sum, { properties }) => sum + properties.at('insulinDelivered').amount(), 0);
  if (units === 0) return undefined;
  const minutes = parts.get(eventCodes.bolusOptions)?.properties.at('duration').value;
  const isExtended = parts.has(eventCodes.extendedCompleted) || (typeof minutes === 'number' && minutes > 0);
  return {
    ts: first.ms,
    end: Math.max(first.ms, ...ended.map(({ ms }) => ms)),
    value: roundTo(units, 3),
    timezoneOffset: first.offset,
    extra: { delivery_mode: 'bolus', delivery_form: isExtended ? 'extended' : 'standard', bolus_purpose: purposeOf(bolus) },
  };
}

function readCarbs({ parts }: Bolus, window: PullWindow, context: RecordMaker): Sample | undefined {
  const request = parts.get(eventCodes.bolusRequest);
  const grams = request?.properties.at('carbAmount').optional((node) => node.amount()) ?? 0;
  if (request === undefined || grams === 0) return undefined;
  const day = dayOf(request, context);
  if (!isWithin(day, window)) return undefined;
  const { ms, offset } = request;
  return { ts: ms, end: ms, value: grams, timezoneOffset: offset };
}

/** Boluses that start in the window, and the carbohydrates for which they were given. */
export function mapBoluses(events: readonly PlacedEvent[], list: JsonNode, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const boluses = groupBoluses(events, list, quarantined);
  const insulin = readEachOf('insulin_injection', list, boluses, quarantined, (bolus) => readInsulin(bolus, window, context));
  const carbs = readEachOf('carbohydrates', list, boluses, quarantined, (bolus) => readCarbs(bolus, window, context));
  return {
    records: [...context.samples('insulin_injection', pump, insulin, 'rapid_acting'), ...context.samples('carbohydrates', pump, carbs)],
    quarantined,
  };
}
