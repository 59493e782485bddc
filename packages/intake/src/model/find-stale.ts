/** What an item of a phone was when it was last received. */
export interface FormerItem {
  readonly itemId: string;
  /** The record of the phone that it is part of; empty when it is none. */
  readonly parentId: string;
  /** All that it became, as a text to compare. */
  readonly place: string;
  readonly startMs: number;
  readonly version: string;
}

/** An item as it has been sent now. */
export type SentItem = Pick<FormerItem, 'itemId' | 'parentId' | 'place' | 'startMs'>;

interface Family {
  /** The versions at which parts that have been sent again were last received. */
  readonly versions: Set<string>;
  hasChanged: boolean;
  fromMs: number;
}

/**
 * The former items that are no longer true, because an id names one thing: those that have been sent again as something else, and parts of a
 * record that has come again without them. A batch may hold only some of a record's parts, in their order, so a missing part is one that was
 * last received together with a part that has been sent now, or that lies after the first part of a record that has changed. A part that
 * only follows in the next batch is stored again then. In an export all batches have one version, so only records that have changed count.
 */
export function findStale<Former extends FormerItem>(
  former: readonly Former[],
  sent: readonly SentItem[],
  { isExport = false }: { readonly isExport?: boolean } = {},
): Former[] {
  const places = new Map<string, Set<string>>();
  const families = new Map<string, Family>();
  for (const { itemId, parentId, place, startMs } of sent) {
    if (itemId === '') continue;
    places.set(itemId, (places.get(itemId) ?? new Set()).add(place));
    if (parentId === '') continue;
    const family = families.get(parentId) ?? { versions: new Set(), hasChanged: false, fromMs: startMs };
    family.fromMs = Math.min(family.fromMs, startMs);
    families.set(parentId, family);
  }
  const isMoved = ({ itemId, place }: Former) => places.get(itemId)?.has(place) === false;
  for (const one of former) {
    const family = families.get(one.parentId);
    if (!family || !places.has(one.itemId)) continue;
    family.versions.add(one.version);
    family.hasChanged ||= isMoved(one);
  }
  const isMissing = ({ itemId, parentId, startMs, version }: Former) => {
    const family = families.get(parentId);
    return (
      family !== undefined &&
      !places.has(itemId) &&
      ((!isExport && family.versions.has(version)) || (family.hasChanged && startMs >= family.fromMs))
    );
  };
  return former.filter((one) => isMoved(one) || isMissing(one));
}
