import type { CanonicalRecord, Sample, SampleGroup, SourceRef } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import { amountSeries, mainPart, partsOf, sumParts, type AmountParts } from '@pulsewire/providers';
import { readSamplesAt, type SampleAt } from '@pulsewire/store';
import type { PartRemoval } from '../items/sample-ids.ts';
import type { VersionedOwner } from '../model/phone-owner.ts';

/** What a batch says about the sample of a series at an instant of a source. */
interface Change {
  readonly resource: string;
  readonly sourceType: string;
  readonly atMs: number;
  source: SourceRef;
  parts: AmountParts;
  /** Null where something is only removed. */
  sample: Sample | null;
  readonly removed: Set<string>;
}

export interface MergedAmounts {
  /** All records, without amounts that are part of `merged`. */
  readonly records: readonly CanonicalRecord[];
  /** Samples that depend on stored ones; to be written under a version drawn now. */
  readonly merged: readonly CanonicalRecord[];
}

const isAmount = (record: CanonicalRecord): record is SampleGroup => record.kind === 'samples' && amountSeries.includes(record.resource);

type Place = Pick<Change, 'resource' | 'sourceType' | 'atMs'>;
const keyOf = ({ resource, sourceType, atMs }: Place) => `${resource} ${atMs} ${sourceType}`;

function changesOf(provider: string, groups: readonly SampleGroup[], removals: readonly PartRemoval[]): ReadonlyMap<string, Change> {
  const changes = new Map<string, Change>();
  const changeAt = (place: Place, source: SourceRef): Change => {
    const known = changes.get(keyOf(place));
    if (known) return known;
    const made: Change = { ...place, source, parts: {}, sample: null, removed: new Set() };
    changes.set(keyOf(place), made);
    return made;
  };
  for (const { resource, source, samples } of groups)
    for (const sample of samples) {
      const change = changeAt({ resource, sourceType: source.type, atMs: sample.ts }, source);
      const isShared = change.sample !== null && change.source.appId !== source.appId;
      change.source = isShared ? { ...source, appId: null } : source;
      change.parts = { ...change.parts, ...partsOf(sample) };
      change.sample = sample;
    }
  for (const { resource, source, part, ts } of removals)
    for (const atMs of ts)
      changeAt({ resource, sourceType: source.type, atMs }, { provider, type: source.type }).removed.add(part === '' ? mainPart : part);
  return changes;
}

/** The contributions that stay beside those of the batch. */
function keptParts({ parts, removed }: Change, stored: SampleAt, version: bigint): AmountParts {
  const { value: sum, endMs: untilMs, extra } = stored;
  const former = partsOf({ value: sum, ...(extra && { extra }), ...(untilMs !== null && { end: untilMs }) });
  const isNewer = BigInt(stored.version) > version;
  // Stored before kinds were kept: the same amount again is not another one.
  const [value, endMs] = former[mainPart] ?? [];
  const isSame = !stored.extra && !(mainPart in parts) && Object.values(parts).some(([amount, end]) => amount === value && end === endMs);
  const kept = Object.entries(former).filter(([kind]) => (kind in parts ? isNewer : !removed.has(kind)));
  return isSame ? {} : Object.fromEntries(kept);
}

function groupOf({ resource }: Change, source: SourceRef, sample: Sample): SampleGroup {
  return { kind: 'samples', resource, source, samples: [sample] };
}

/** The sample of a change and of what is stored at its place; a removal where nothing is left. */
function mergeOne(change: Change, stored: SampleAt, kept: AmountParts): CanonicalRecord {
  const { sample, sourceType, atMs, resource } = change;
  const { provider } = change.source;
  const parts = { ...change.parts, ...kept };
  if (Object.keys(parts).length === 0) return { kind: 'sample_removal', resource, source: { provider, type: sourceType }, ts: [atMs] };
  const isShared = sample !== null && stored.appId !== (change.source.appId ?? null);
  const source: SourceRef = { provider, type: sourceType, appId: isShared ? null : stored.appId, deviceId: null };
  const { timezoneOffset, offsetFrom } =
    sample?.timezoneOffset == null ? { timezoneOffset: stored.offset, offsetFrom: stored.offsetFrom } : sample;
  return groupOf(change, source, { ts: atMs, timezoneOffset, ...(offsetFrom && { offsetFrom }), ...sumParts(parts) });
}

/**
 * Adds up the amounts of several kinds that begin together at a source, in whatever order and batches they arrive, and takes back the
 * contribution of removed ones. The caller holds the user's lock. One statement.
 */
export async function mergeAmounts(
  tx: Tx,
  owner: VersionedOwner,
  records: readonly CanonicalRecord[],
  removals: readonly PartRemoval[],
): Promise<MergedAmounts> {
  const [amounts, others] = [records.filter(isAmount), records.filter((record) => !isAmount(record))];
  const ofAmounts = removals.filter(({ resource }) => amountSeries.includes(resource));
  const plain = removals.filter(({ resource }) => !amountSeries.includes(resource)).map(({ part: _, ...removal }) => removal);
  const changes = [...changesOf(owner.provider, amounts, ofAmounts).values()];
  if (changes.length === 0) return { records: [...others, ...plain], merged: [] };
  const stored = await readSamplesAt(tx, { ...owner, resources: amountSeries, instants: changes });
  const storedAt = new Map(stored.map((sample) => [keyOf(sample), sample]));
  const merged: CanonicalRecord[] = [];
  const own = new Map<string, SampleGroup & { readonly samples: Sample[] }>();
  for (const change of changes) {
    const found = storedAt.get(keyOf(change));
    const kept = found ? keptParts(change, found, owner.version) : {};
    if (found && (Object.keys(kept).length > 0 || change.sample === null)) merged.push(mergeOne(change, found, kept));
    else if (change.sample !== null) {
      const { source, resource } = change;
      const key = JSON.stringify([resource, source.type, source.appId]);
      const group = own.get(key) ?? { kind: 'samples', resource, source, samples: [] };
      own.set(key, group);
      group.samples.push({ ...change.sample, ...sumParts(change.parts) });
    }
  }
  return { records: [...others, ...plain, ...own.values()], merged };
}
