/** The last `max` distinct ids: `add` returns whether an id was already among them. */
export function createBoundedIds(max: number): { add(id: string): boolean } {
  const ids = new Set<string>();
  return {
    add(id) {
      if (ids.has(id)) return true;
      ids.add(id);
      if (ids.size > max) ids.delete(ids.values().next().value as string);
      return false;
    },
  };
}
