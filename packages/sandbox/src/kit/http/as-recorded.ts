import { existsSync, readFileSync } from 'node:fs';
import type { ApiCall, ApiResponse, Trouble } from '../definition/definition.ts';

/** The name of the mode, beside the troubles of a definition. */
export const asRecorded = 'as_recorded';

interface RecordedResponse {
  /** Parameters of the path, the query or the body that the request must have. Absent: any request. */
  readonly when?: Readonly<Record<string, string | number>>;
  readonly status?: number;
  readonly body?: unknown;
  /** A body that is not JSON. */
  readonly text?: string;
}

/** What a public source shows of an endpoint: its shape, with other values. */
interface RecordedEndpoint {
  /** The public project and file that show the shape. */
  readonly source: string;
  readonly responses: readonly RecordedResponse[];
}

type TroubledCall = Parameters<Trouble>[1];

function isMeant({ when = {} }: RecordedResponse, { json, query, form, params }: TroubledCall & Partial<ApiCall>): boolean {
  const sent = { ...(typeof json === 'object' ? json : {}) } as Record<string, unknown>;
  return Object.entries(when).every(([name, value]) =>
    [params?.[name], query?.get(name), form?.get(name), sent[name]].some((given) => String(given ?? '') === String(value)),
  );
}

/**
 * The mode in which a simulator sends responses made from public recordings and documents instead of its own, so that a belief that connector
 * and simulator share does not hide an error. Endpoints without a file keep the simulator's response. Undefined: none was found for it.
 */
export function recordedResponses(slug: string, folder = new URL('../../../data/recorded/', import.meta.url)): Trouble | undefined {
  const ofProvider = new URL(`${slug}/`, folder);
  if (!existsSync(ofProvider)) return undefined;
  const read = new Map<string, RecordedEndpoint | null>();
  const endpoint = (kind: string): RecordedEndpoint | null => {
    // Some kinds are paths: `/v2/sleep` is in `v2_sleep.json`.
    const file = new URL(`${kind.replace(/^\//, '').replaceAll('/', '_')}.json`, ofProvider);
    const found = read.get(kind) ?? (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RecordedEndpoint) : null);
    read.set(kind, found);
    return found;
  };
  return (kind, call): ApiResponse | null => endpoint(kind)?.responses.find((response) => isMeant(response, call)) ?? null;
}
