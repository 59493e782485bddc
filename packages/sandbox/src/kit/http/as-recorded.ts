import { existsSync, readFileSync } from 'node:fs';
import type { ApiResponse, SimulatorDefinition, Trouble, TroubledCall } from '../definition/definition.ts';

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

function matches({ when = {} }: RecordedResponse, { json, query, form, params }: Omit<TroubledCall, 'headers'>): boolean {
  const sent = { ...(typeof json === 'object' ? json : {}) } as Readonly<Record<string, unknown>>;
  return Object.entries(when).every(([name, value]) => {
    const given = [params?.[name], query?.get(name), form?.get(name), sent[name]];
    return given.some((one) => one === value || (typeof one === 'string' && one === String(value)));
  });
}

/** `{user}` and `{url}` in a body stand for the account's id and the address of the simulator. */
function filledIn(response: RecordedResponse, { account, parts }: TroubledCall): RecordedResponse {
  const fill = (text: string) => text.replaceAll('{user}', account?.providerUserId ?? '').replaceAll('{url}', parts?.url() ?? '');
  if (response.body === undefined) return response;
  return { ...response, body: JSON.parse(fill(JSON.stringify(response.body))) as unknown };
}

/**
 * The mode in which a simulator sends responses made from public recordings and documents instead of its own, so that a belief that connector
 * and simulator share does not hide an error. Endpoints without a file keep the simulator's response. Undefined: none was found for it.
 */
export function recordedResponses(
  { slug, envelope }: Pick<SimulatorDefinition, 'slug' | 'envelope'>,
  folder = new URL('../../../data/recorded/', import.meta.url),
): Trouble | undefined {
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
  return (kind, call): ApiResponse | null => {
    const asked = envelope ? { ...call, json: envelope.open(call.json) } : call;
    const found = endpoint(kind)?.responses.find((response) => matches(response, asked));
    if (found === undefined) return null;
    const filled = filledIn(found, call);
    return envelope && filled.body !== undefined ? { ...filled, ...envelope.seal(filled.body) } : filled;
  };
}
