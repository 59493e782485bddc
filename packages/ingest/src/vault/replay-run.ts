import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { errorCode, parseJson } from '@pulsewire/kernel';
import { providerHttp, type Connector, type PulledPage, type PullUser } from '@pulsewire/providers';
import { openObject } from '../sealed/named-object.ts';
import { readPart, readPushed, type VaultRun, type VaultReader } from './vault-runs.ts';
import { replayResponses } from './replay-responses.ts';

/** The outcome of mapping a run again. */
export type ReplayEnd = ({ readonly state: 'done' | 'not_in_vault' } | { readonly state: 'failed'; readonly errorCode: string }) & {
  /** Responses that were served to the connector. */
  readonly responses: number;
};

/** Stores one page under the version of its response. */
export type WritePage = (page: PulledPage) => Promise<void>;

async function replayPull(reader: VaultReader, connector: Connector, run: VaultRun, write: WritePage): Promise<ReplayEnd> {
  const pull = connector.pulls.find(({ name }) => name === run.pull);
  const first = await readPart(reader, run, 1);
  if (!pull || !first) return { state: 'failed', errorCode: pull ? 'vault_part_missing' : 'pull_unknown', responses: 0 };
  let part = 1;
  const replay = replayResponses(async () => {
    const next = part === 1 ? first : await readPart(reader, run, part);
    part += 1;
    return next?.responses ?? null;
  });
  const user: PullUser = { ...first.user, userId: run.userId };
  const call = { http: providerHttp(replay.send), user, signal: new AbortController().signal, now: new Date(first.now) };
  const window = { startDate: run.startDate, endDate: run.endDate };
  const objectId = openObject(reader.cipher, run.connectionId, run);
  const pages = run.objectId === '' ? pull.pull({ ...call, window }) : pull.pullObject?.({ ...call, objectId });
  const missing = (): ReplayEnd => ({ state: 'not_in_vault', responses: replay.served });
  const iterator = pages?.[Symbol.asyncIterator]();
  for (;;) {
    let page: PulledPage | undefined;
    try {
      const step = await iterator?.next();
      page = step?.done === false ? step.value : undefined;
    } catch (error) {
      return replay.isMissing ? missing() : { state: 'failed', errorCode: errorCode(error), responses: replay.served };
    }
    if (replay.isMissing) {
      await iterator?.return?.();
      return missing();
    }
    if (!page) return { state: 'done', responses: replay.served };
    await write(page);
  }
}

async function replayPush(reader: VaultReader, connector: Connector, run: VaultRun, write: WritePage): Promise<ReplayEnd> {
  const map = connector.push?.map?.bind(connector.push);
  if (!map) return { state: 'failed', errorCode: 'pull_unknown', responses: 0 };
  const pushed = (await readPushed(reader, run)).flatMap(({ user, responses }) => responses.map((response) => ({ user, response })));
  const records: CanonicalRecord[] = [];
  const quarantined: Quarantined[] = [];
  try {
    for (const { user, response } of pushed) {
      const payload = parseJson(response.bytes ?? Buffer.alloc(0));
      const mapped = map({ collection: response.request, payload, user: { ...user, userId: run.userId } });
      for (const record of mapped.records) records.push(record);
      for (const item of mapped.quarantined) quarantined.push(item);
    }
  } catch (error) {
    return { state: 'failed', errorCode: errorCode(error), responses: 0 };
  }
  await write({ version: run.version, records, quarantined });
  return { state: 'done', responses: pushed.length };
}

/**
 * Maps the stored responses of one run with the current connector, and passes each page to `write`. Makes no call. Pages before a request
 * that is not in the vault are written. Throws what `write` and `openPart` throw.
 */
export function replayRun(reader: VaultReader, connector: Connector, run: VaultRun, write: WritePage): Promise<ReplayEnd> {
  return run.source === 'push' ? replayPush(reader, connector, run, write) : replayPull(reader, connector, run, write);
}
