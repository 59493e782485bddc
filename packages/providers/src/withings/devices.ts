import type { SeenDevice } from '@pulsewire/contract';
import { deviceFields, deviceOf, textOrNull } from '../kit/records/recorded-by.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { PullUser } from '../kit/types/connector.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { sources, withingsSlug } from './withings.ts';

type Source = (typeof sources)[keyof typeof sources];

/** Models that only relay counts of a phone, a watch or another maker's app. */
const passedOn: Readonly<Record<number, Source>> = {
  1051: sources.phone,
  1052: sources.phone,
  1053: sources.phone,
  1054: sources.phone,
  1055: sources.app,
  1056: sources.app,
  1057: sources.phone,
  1058: sources.watch,
  1059: sources.app,
  1060: sources.phone,
  1062: sources.app,
};

/** By tens, as Withings numbers its models: first and last of a kind. */
const ranges: readonly (readonly [first: number, last: number, source: Source])[] = [
  [1, 20, sources.scale],
  [41, 49, sources.cuff],
  [51, 59, sources.watch],
  [60, 69, sources.mat],
  [70, 79, sources.thermometer],
  [90, 99, sources.watch],
];

/** The kind of source of a model; null for an unknown number. Groups and rows name the model `modelid`, `model_id` or `model`. */
export function sourceOfModel(node: JsonNode): Source | null {
  const { value } = node;
  if (typeof value !== 'number') return null;
  return passedOn[value] ?? ranges.find(([first, last]) => value >= first && value <= last)?.[2] ?? null;
}

/** Types in the list of devices; the model takes precedence. */
const listed: Readonly<Record<string, Source>> = {
  Scale: sources.scale,
  'Blood Pressure Monitor': sources.cuff,
  'Activity Tracker': sources.watch,
  'Sleep Monitor': sources.mat,
  'Smart Connected Thermometer': sources.thermometer,
};

const manufacturer = 'Withings';
/** Both fields contain the same device id. */
const idOf = (item: JsonNode) => textOrNull(item.at('deviceid')) ?? textOrNull(item.at('hash_deviceid'));

/** The device that a row names; null when it names none. */
export function deviceOfRow(item: JsonNode, sourceType: string, context: Pick<RecordMaker, 'provider' | 'user'>): SeenDevice | null {
  const raw = deviceFields(item, ['deviceid', 'hash_deviceid', 'model', 'modelid', 'model_id']);
  return deviceOf(context, { externalId: idOf(item), sourceType, manufacturer, model: textOrNull(item.at('model')), version: null, raw });
}

/** A device in the account facts. */
export interface AccountDevice {
  readonly id: string;
  readonly type: Source;
  readonly model: string | null;
}

/** A row of `getdevice`; undefined without an id. */
export function readListed(item: JsonNode): AccountDevice | undefined {
  const id = idOf(item);
  const type = sourceOfModel(item.at('model_id')) ?? listed[textOrNull(item.at('type')) ?? ''] ?? 'unknown';
  return id === null ? undefined : { id, type, model: textOrNull(item.at('model')) };
}

/** The devices in the account facts. */
export function devicesOfAccount(user: PullUser): readonly SeenDevice[] {
  const list = user.account['devices'];
  return (Array.isArray(list) ? (list as readonly AccountDevice[]) : []).flatMap(({ id, type, model }) => {
    const facts = { externalId: id, sourceType: type, manufacturer, model, version: null };
    return deviceOf({ provider: withingsSlug, user }, facts) ?? [];
  });
}
