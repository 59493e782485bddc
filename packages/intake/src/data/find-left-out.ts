import type { Intake, IntakeItem, LeftOutReason } from '@pulsewire/contract';
import { withinBounds } from '@pulsewire/ingest';
import { intakeRecords, type IntakeOwner } from './intake-records.ts';

/** An item of a valid body that is not stored, by its place in the body. */
export interface LeftOutItem {
  readonly loc: readonly (string | number)[];
  readonly reason: LeftOutReason;
}

type Bounds = Parameters<typeof withinBounds>[1];

interface PlacedItem {
  readonly part: 'samples' | 'summaries';
  readonly name: string;
  readonly index: number;
  readonly item: IntakeItem;
}

function* itemsOf(intake: Intake): Generator<PlacedItem> {
  for (const part of ['samples', 'summaries'] as const)
    for (const [name, items] of Object.entries(intake[part] ?? {}))
      for (const [index, item] of items.entries()) yield { part, name, index, item };
}

/** The items of a body, by part. */
export function countItems(intake: Intake): { readonly samples: number; readonly summaries: number } {
  const count = (lists: Intake['samples']) => Object.values(lists ?? {}).reduce((sum, items) => sum + items.length, 0);
  return { samples: count(intake.samples), summaries: count(intake.summaries) };
}

/**
 * The items that writing the body does not store: those outside the user's bounds, and those that a later item of the same body replaces,
 * because both are the same sample or summary.
 */
export function findLeftOut(owner: IntakeOwner, intake: Intake, bounds: Bounds): readonly LeftOutItem[] {
  const leftOut: LeftOutItem[] = [];
  const latest = new Map<string, PlacedItem>();
  const add = ({ part, name, index }: PlacedItem, reason: LeftOutReason) => leftOut.push({ loc: [part, name, index], reason });
  for (const placed of itemsOf(intake)) {
    const [record] = intakeRecords(owner, { source: intake.source, [placed.part]: { [placed.name]: [placed.item] } });
    if (record === undefined) continue;
    if (withinBounds([record], bounds).length === 0) {
      add(placed, 'outside_ingestion_bounds');
      continue;
    }
    const identity =
      record.kind === 'samples' ? `${record.resource} ${record.subKind ?? ''} ${record.samples[0]?.ts}` : 'id' in record ? record.id : '';
    const replaced = latest.get(identity);
    if (replaced) add(replaced, 'replaced_in_request');
    latest.set(identity, placed);
  }
  return leftOut;
}
