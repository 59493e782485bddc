/** Maps all items in their order, at most `count` of them at the same time. Rejects with the first error. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  count: number,
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) results[index] = await map(item, index);
  };
  await Promise.all(Array.from({ length: count }, work));
  return results;
}

/** Runs tasks one after another, also when callers do not wait for each other. */
export function oneAtATime(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(task);
    last = next.catch(() => undefined);
    return next;
  };
}
