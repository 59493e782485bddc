import type { Trouble, Troubles } from './definition.ts';

/** What is documented to go wrong for as long as it lasts, unlike faults, which strike single calls. One at a time. */
export function createTroubles(known: Readonly<Record<string, Trouble>> = {}): Troubles {
  let current: Trouble | null = null;
  return {
    begin(name) {
      const trouble = Object.hasOwn(known, name) ? known[name] : undefined;
      if (!trouble) throw new RangeError(`No trouble is called ${name}`);
      current = trouble;
    },
    end() {
      current = null;
    },
    responseTo: (kind, call) => current?.(kind, call) ?? null,
  };
}
