import { readFile } from 'node:fs/promises';
import type { Caller } from '../../support/harness.ts';
import type { Phone } from '../phone-harness.ts';

/** A batch as a phone sends it. */
export interface CaseBatch {
  readonly provider: string;
  readonly data: {
    readonly records: readonly Readonly<Record<string, unknown>>[];
    readonly sleep: readonly Readonly<Record<string, unknown>>[];
    readonly workouts: readonly Readonly<Record<string, unknown>>[];
    readonly deleted?: readonly object[];
  };
}

/** A recorded shape with invented values: batches in the order of their arrival, or several such orders by name, and the right result. */
export interface Case<Right, Input = readonly CaseBatch[]> {
  readonly input: Input;
  readonly right: Right;
}

export async function readCase<Right, Input = readonly CaseBatch[]>(name: string): Promise<Case<Right, Input>> {
  return JSON.parse(await readFile(new URL(`${name}.json`, import.meta.url), 'utf8')) as Case<Right, Input>;
}

/** The same items, one in a batch. */
export function oneByOne(batches: readonly CaseBatch[]): CaseBatch[] {
  return batches.flatMap(({ provider, data: { records, sleep, workouts } }) => [
    ...records.map((item) => ({ provider, data: { records: [item], sleep: [], workouts: [] } })),
    ...sleep.map((item) => ({ provider, data: { records: [], sleep: [item], workouts: [] } })),
    ...workouts.map((item) => ({ provider, data: { records: [], sleep: [], workouts: [item] } })),
  ]);
}

export async function sendBatches(phone: Phone, batches: readonly CaseBatch[]): Promise<void> {
  for (const { provider, data } of batches) await phone.sync(provider, data);
}

type Fields = Readonly<Record<string, unknown>>;
const days = 'start_date=2026-10-25&end_date=2026-11-30';

export async function summariesOf(caller: Caller, userId: string, name: string): Promise<readonly Fields[]> {
  return (await caller.call('GET', `/v2/summary/${name}/${userId}?${days}`)).body[name] as readonly Fields[];
}

export async function samplesOf(caller: Caller, userId: string, series: string): Promise<readonly Fields[]> {
  const { groups } = (await caller.call('GET', `/v2/timeseries/${userId}/${series}/grouped?${days}`)).body;
  return Object.values(groups as Record<string, readonly { readonly data: readonly Fields[] }[]>).flatMap((own) =>
    own.flatMap(({ data }) => data),
  );
}
