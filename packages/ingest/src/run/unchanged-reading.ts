import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError } from '@pulsewire/kernel';
import { readResourceHandover } from '@pulsewire/connections';
import { providerHttp, type Connector, type ProviderResponse, type ProviderSend } from '@pulsewire/providers';
import { lockRecords } from '@pulsewire/store';
import type { IngestContext } from '../context/context.ts';
import { pullUserOf, type Pullable } from '../context/pullable.ts';
import { factsText } from '../vault/pack-pushed.ts';
import { bytesOf } from '../vault/record-responses.ts';
import { requestKey } from '../vault/request-key.ts';
import { digestBytes, endUnchanged, unpackReading, type ReadResponse } from '../window/last-reading.ts';
import type { RunningWindow } from '../window/claim-window.ts';
import type { WindowRun } from './window-run.ts';

/** In a bundle this is the file with all of our code. */
const ownFile = fileURLToPath(import.meta.url);
const isBundled = !ownFile.endsWith('.ts');
let codeDigest: string | undefined;

/** Identifies the code that maps: a bundle by its file. Sources have many, so each process that runs from them counts as another code. */
function codeDigestOf(): string {
  codeDigest ??= createHash('sha256')
    .update(isBundled ? readFileSync(ownFile) : randomBytes(16))
    .digest('hex');
  return codeDigest;
}

const connectorKeys = new WeakMap<Connector, string>();
let connectorsSeen = 0;

/** Distinguishes connectors of one process that were configured differently. */
function keyOf(connector: Connector): string {
  const key = connectorKeys.get(connector) ?? `${connector.slug} ${(connectorsSeen += 1)}`;
  connectorKeys.set(connector, key);
  // Where each process has one connector for a slug, all processes must agree on its key.
  return isBundled ? connector.slug : key;
}

/** Everything beside the responses that decides which records are stored: the code, the window, and the facts and bounds of the user. */
function mappingFacts({ connection, connector }: Pullable, window: RunningWindow, storesRaw: boolean): string {
  const { ingestionStart, ingestionEnd, keepsRaw, handover = null } = connection;
  const { pull, startDate, endDate } = window;
  const bounds = { ingestionStart, ingestionEnd, keepsRaw, handover, storesRaw };
  return `${codeDigestOf()} ${keyOf(connector)} ${pull} ${startDate} ${endDate} ${JSON.stringify(bounds)} ${factsText({ connection, connector })}`;
}

/** Returns what identifies a response to a request, for readings of this window with the facts of this moment. */
export function responseDigests(
  { settings }: Pick<IngestContext, 'settings'>,
  pullable: Pullable,
  window: RunningWindow,
): (request: string, response: ProviderResponse) => Buffer {
  const facts = mappingFacts(pullable, window, settings.storeRawResponses);
  return (request, response) => {
    const { status, headers } = response;
    const hash = createHash('sha256').update(`${facts}\n${request}\n${status}\n${headers['link'] ?? ''}\n`);
    return hash.update(bytesOf(response)).digest().subarray(0, digestBytes);
  };
}

/** Whether another connection of the person may take days of this one, which every page decides anew. */
export async function sharesDays(tx: Parameters<typeof readResourceHandover>[0], { connection, connector }: Pullable): Promise<boolean> {
  if (connector.end === undefined && connector.succeedsPerResource === undefined) return false;
  return (await readResourceHandover(tx, connection, false)) !== null;
}

/** Responses that were received while a reading was compared with the last one: they are not requested again. */
type Received = Map<string, (() => ProviderResponse)[]>;

/** The calls with which a window is read in full, and the `now` of its pull: the requests may depend on it. */
export interface FullReading {
  readonly send: ProviderSend;
  readonly now: Date;
}

/** Serves what was received before, then calls. */
function afterwards(received: Received, live: ProviderSend): ProviderSend {
  return async (method, path, call) => {
    const known = received.get(requestKey(method, path, call))?.shift();
    return known ? known() : live(method, path, call);
  };
}

/**
 * Requests what the pull requests until a response differs from the last reading, or all were equal. `unchanged`: the equal responses, with
 * the versions under which they were received now; null: the reading differs.
 */
async function compare(context: IngestContext, { pullable, pull, window, send, signal }: WindowRun, last: readonly ReadResponse[]) {
  const received: Received = new Map();
  const missing = new Map(last.map((response) => [response.digest.toString('hex'), response]));
  const equal: ReadResponse[] = [];
  const digestOf = responseDigests(context, pullable, window);
  const now = context.clock.now();
  let isOver = false;
  // Ends the pull before it maps anything. The outcome is what was recorded, also if a connector catches this.
  const stop = () => {
    isOver = true;
    return new AppError({
      code: 'window_stopped',
      kind: 'unavailable',
      message: 'The reading was compared with the last one',
      retryable: true,
    });
  };
  const sendCompared: ProviderSend = async (method, path, call) => {
    if (isOver) throw stop();
    const key = requestKey(method, path, call);
    const keep = (respond: () => ProviderResponse) => received.set(key, [...(received.get(key) ?? []), respond]);
    let response: ProviderResponse;
    try {
      response = await send(method, path, call);
    } catch (error) {
      keep(() => {
        throw error;
      });
      throw stop();
    }
    keep(() => response);
    const digest = digestOf(key, response).toString('hex');
    const known = missing.get(digest);
    if (!known) throw stop();
    missing.delete(digest);
    equal.push({ ...known, seenVersion: response.version });
    if (missing.size === 0) throw stop();
    return response;
  };
  const call = { http: providerHttp(sendCompared), user: pullUserOf(pullable.connection), signal, now };
  try {
    const pages = pull.pull({ ...call, window: { startDate: window.startDate, endDate: window.endDate } })[Symbol.asyncIterator]();
    while (!isOver && (await pages.next()).done !== true);
  } catch (error) {
    // An error of the connector itself is thrown again when the reading is mapped.
    if (!isOver && received.size === 0) throw error;
  }
  return { unchanged: missing.size === 0 && equal.length === last.length ? equal : null, full: { send: afterwards(received, send), now } };
}

/**
 * Ends the window without mapping it when the provider responds exactly as it did the last time, and nothing else has changed since: no
 * record is compared, no receipt and no response is stored. Returns null then, and otherwise the calls with which to read the window in full,
 * which repeat the responses received here.
 */
export async function endIfUnchanged(context: IngestContext, run: WindowRun): Promise<FullReading | null> {
  const { pullable, window, send } = run;
  if (window.reading === null || !window.isReadingValid) return { send, now: context.clock.now() };
  const compared = await compare(context, run, unpackReading(window.reading));
  const { unchanged } = compared;
  if (unchanged === null) return compared.full;
  const { connectionId, userId, provider } = pullable.connection;
  const isEnded = await context.database.transaction(async (tx) => {
    await lockRecords(tx, userId);
    if (await sharesDays(tx, pullable)) return false;
    return endUnchanged(tx, connectionId, window, unchanged, context.clock.now());
  });
  if (!isEnded) return compared.full;
  context.metrics.count('ingest_unchanged_windows_total', { provider });
  return null;
}
