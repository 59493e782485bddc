import { errorCode } from '@pulsewire/kernel';
import { providerError } from '../kit/http/provider-error.ts';
import { readPages } from '../kit/http/read-pages.ts';
import type { ProviderHttp, ProviderResponse } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { createEnvelope, type Envelope } from './envelope.ts';
import type { RenphoValues } from './renpho.ts';

/** A decrypted response. */
export interface Opened {
  readonly data: JsonNode;
  readonly version: bigint;
}

/** A table of measurements, and the user number to request it with. */
export interface Table {
  readonly name: string;
  readonly userIds: readonly string[];
}

const countPath = '/renpho-aggregation/device/count';
const rowsPerPage = 50;
const tapeRowsPerPage = 100;
const tablesCount = 24n;
const listKeys = ['list', 'data', 'records', 'rows', 'measurements'];

/** Throws AppError `provider_configuration` when no key is configured, so that no data is lost until there is one. */
export function openEnvelope({ appKey }: RenphoValues): Envelope {
  const envelope = createEnvelope(appKey);
  if (envelope === null) throw providerError('provider_configuration', { reason: 'no_app_key' });
  return envelope;
}

function opened(envelope: Envelope, { body, version }: ProviderResponse): Opened {
  const data = envelope.open(body);
  if (data === undefined) throw providerError('provider_transient', { reason: 'not_decrypted' });
  return { data: new JsonNode(data), version };
}

/**
 * The account's tables. This also shows whether the session is still valid: one that was ended by a login elsewhere returns empty
 * lists. The call has no content; some servers reject that and require an empty object.
 */
export async function readCount(http: ProviderHttp, envelope: Envelope): Promise<Opened> {
  const ask = async (text: string) => opened(envelope, await http.post(countPath, { json: envelope.seal(text), isRead: true }));
  const counted = await ask('').catch((error: unknown) => {
    if (errorCode(error) !== 'provider_permanent') throw error;
    return ask('{}');
  });
  if (Array.isArray(counted.data.value)) throw providerError('provider_token_expired', { reason: 'session_ended' });
  return counted;
}

const idsOf = (node: JsonNode): readonly string[] =>
  Array.isArray(node.value)
    ? node.items().flatMap(({ value }) => (typeof value === 'string' || typeof value === 'number' ? [String(value)] : []))
    : [];

/** The tables that the count names; without any, the one derived from the user's number. */
export function tablesOf({ data }: Opened, userId: string): readonly Table[] {
  const scales = Array.isArray(data.at('scale').value) ? data.at('scale').items() : [];
  const named = scales.flatMap((scale): Table[] => {
    const name = scale.at('tableName').value;
    if (typeof name !== 'string' || !/^\w{1,64}$/.test(name)) return [];
    const ids = idsOf(scale.at('userIds'));
    // On a shared scale the account may be listed under another user's number.
    const [first = userId] = ids;
    return [{ name, userIds: [ids.includes(userId) ? userId : first] }];
  });
  if (named.length > 0) return named;
  return /^\d{1,20}$/.test(userId) ? [{ name: `measurements_info_${BigInt(userId) % tablesCount}`, userIds: [userId] }] : [];
}

/** Kinds of devices that are not read, such as scanners and counters of steps, and have data: their calls are not public. */
export function countUnread({ data }: Opened): number {
  const { value } = data;
  const kinds = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const hasData = (kind: string) => {
    const found = data.at(kind).value;
    return Array.isArray(found) ? found.length > 0 : typeof found === 'number' && found > 0;
  };
  return kinds.filter((kind) => kind !== 'scale' && kind !== 'girth' && hasData(kind)).length;
}

/** The rows of a page: a list, or an object that holds one. */
function rowsOf(page: JsonNode, table?: string): JsonNode {
  if (Array.isArray(page.value) || page.isMissing) return page;
  const key = [...(table === undefined ? [] : [table]), ...listKeys].find((name) => Array.isArray(page.at(name).value));
  return key === undefined ? page : page.at(key);
}

interface RowList extends Opened {
  readonly rows: JsonNode;
}

/** Pages until an empty or short one; the counts are unreliable, and the order is not documented. */
async function* readRows(
  http: ProviderHttp,
  envelope: Envelope,
  { path, fields, pageSize, table }: { readonly path: string; readonly fields: object; readonly pageSize: number; readonly table?: string },
): AsyncGenerator<RowList> {
  const rowsIn = (response: ProviderResponse) => {
    const page = opened(envelope, response);
    return { ...page, rows: rowsOf(page.data, table) };
  };
  const pages = readPages<number>({
    first: 1,
    read: (pageNum) => http.post(path, { json: envelope.seal(JSON.stringify({ pageNum, pageSize, ...fields })), isRead: true }),
    next(response, pageNum) {
      const { rows } = rowsIn(response);
      return Array.isArray(rows.value) && rows.value.length >= pageSize ? pageNum + 1 : null;
    },
  });
  for await (const response of pages) yield rowsIn(response);
}

/** Rows are in one of two calls or in both: those of scales with eight electrodes come in the first. */
export const measurementPaths = ['/RenphoHealth/scale/queryBodyCompositionMeasureData', '/RenphoHealth/scale/queryAllMeasureDataList'];

export function readMeasurements(http: ProviderHttp, envelope: Envelope, path: string, { name, userIds }: Table): AsyncGenerator<RowList> {
  return readRows(http, envelope, { path, fields: { userIds, tableName: name }, pageSize: rowsPerPage, table: name });
}

export function readGirths(http: ProviderHttp, envelope: Envelope): AsyncGenerator<RowList> {
  const path = '/RenphoHealth/renpho/girth/queryAllGirthsDataList';
  return readRows(http, envelope, { path, fields: {}, pageSize: tapeRowsPerPage });
}
