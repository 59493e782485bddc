import { sleep } from '@pulsewire/kernel';
import type { ApiClient } from '../client/api-client.ts';
import type { DemoContext } from '../client/demo-context.ts';
import { messageOf, type OtherSource } from './other-source.ts';
import { readArrived, type Arrived } from './read-arrived.ts';

const pollMs = 2000;
const waitMaxMs = 60_000;
/** Some send part of the history later: what has arrived until nothing more comes for this long is reported. */
const quietMs = 10_000;

export interface SourceReport {
  readonly source: OtherSource;
  /** null when it is not linked, or its state could not be read. */
  readonly arrived: Arrived | null;
  readonly failure: string | null;
}

async function report(api: ApiClient, source: OtherSource): Promise<SourceReport> {
  if (source.failure !== null) return { source, arrived: null, failure: source.failure };
  try {
    const arrived = await readArrived(api, source);
    return { source, arrived, failure: arrived.failure };
  } catch (error) {
    return { source, arrived: null, failure: messageOf(error) };
  }
}

/** Waits until the history of all linked sources has arrived, or no more of it arrives, for a minute at most, and reports each. */
export async function waitForOthers(
  { narrator, clock }: DemoContext,
  api: ApiClient,
  sources: readonly OtherSource[],
  signal: AbortSignal,
): Promise<readonly SourceReport[]> {
  const reports = new Map<OtherSource, SourceReport>();
  const changedAt = new Map<OtherSource, number>();
  const deadlineMs = clock.monotonicMs() + waitMaxMs;
  const isOpen = (source: OtherSource) => {
    const known = reports.get(source);
    if (known === undefined) return true;
    if (known.failure !== null || known.arrived?.isComplete === true) return false;
    const isQuiet = clock.monotonicMs() - (changedAt.get(source) ?? 0) >= quietMs;
    return !isQuiet || known.arrived === null || known.arrived.resources.length === 0;
  };
  const look = async (source: OtherSource) => {
    const [before, after] = [reports.get(source), await report(api, source)];
    reports.set(source, after);
    if (JSON.stringify(before?.arrived) !== JSON.stringify(after.arrived)) changedAt.set(source, clock.monotonicMs());
  };
  for (;;) {
    for (const source of sources.filter(isOpen)) if (!signal.aborted) await look(source);
    const open = sources.filter(isOpen);
    if (open.length === 0 || signal.aborted || clock.monotonicMs() >= deadlineMs) break;
    const names = open.slice(0, 3).map(({ name }) => name);
    narrator.progress(
      `  waiting for data of ${open.length} of ${sources.length} other sources: ${names.join(', ')}${open.length > 3 ? ', …' : ''}`,
    );
    await sleep(pollMs, signal);
  }
  return sources.flatMap((source) => reports.get(source) ?? []);
}
