import { describe, expect, test } from 'vitest';
import { splitBody, type SplitBounds } from './split-body.ts';

const ownerOf = (item: unknown) => (item as { readonly user?: string }).user ?? null;
const bounds: SplitBounds = { skip: 0, partBytes: 60, itemBytesMax: 500, partItemsMax: 1000 };

async function split(body: unknown, given: Partial<SplitBounds> = {}, together: Record<string, typeof ownerOf> = {}) {
  async function* chunks() {
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    for (let place = 0; place < bytes.length; place += 7) yield bytes.subarray(place, place + 7);
  }
  const parts: { body: unknown; itemsEnd: number; tooLong: number; isLast: boolean }[] = [];
  for await (const part of splitBody(chunks(), { together }, { ...bounds, ...given }))
    parts.push({ ...part, body: JSON.parse(part.body.toString()) as unknown });
  return parts;
}
const rowsOf = (users: readonly string[]) => users.map((user, place) => ({ user, place, pad: 'x'.repeat(10) }));

describe('a body in parts', () => {
  test('has every item once, in order, in bodies of the same shape, none above the requested size', async () => {
    const body = { days: rowsOf(['a', 'b', 'c', 'd', 'e']), note: { text: 'n' }, nights: rowsOf(['a', 'b']) };
    const parts = await split(body);
    expect(parts.length).toBeGreaterThan(3);
    const listed = (key: 'days' | 'nights') => parts.flatMap((part) => (part.body as Partial<typeof body>)[key] ?? []);
    expect({ days: listed('days'), nights: listed('nights') }).toEqual({ days: body.days, nights: body.nights });
    expect(parts.map((part) => (part.body as Partial<typeof body>).note).filter(Boolean)).toEqual([body.note]);
    expect(parts.map(({ isLast }) => isLast)).toEqual([...parts.slice(1).map(() => false), true]);
    expect(parts.at(-1)?.itemsEnd).toBe(8);
  });

  test('resumes after the items that are done', async () => {
    const body = { days: rowsOf(['a', 'b', 'c', 'd', 'e', 'f']) };
    for (const [place, { itemsEnd }] of (await split(body)).entries())
      expect(await split(body, { skip: itemsEnd })).toEqual(
        (await split(body)).length === place + 1
          ? [{ body: {}, itemsEnd, tooLong: 0, isLast: true }]
          : (await split(body)).slice(place + 1),
      );
  });

  test('is not split between items that belong together, unless they exceed the limit', async () => {
    const body = { rows: rowsOf(['a', 'b', 'b', 'b', 'b', 'c']) };
    const users = (parts: Awaited<ReturnType<typeof split>>) =>
      parts.map((part) => ((part.body as Partial<typeof body>).rows ?? []).map(({ user }) => user).join(''));
    expect(users(await split(body, {}, { rows: ownerOf }))).toEqual(['a', 'bbbb', 'c']);
    expect(users(await split(body, { itemBytesMax: 120 }, { rows: ownerOf }))).toEqual(['a', 'bb', 'bb', 'c']);
  });

  test('is split after a maximum number of items, even of items that belong together', async () => {
    const body = { rows: rowsOf(Array.from({ length: 25 }, () => 'a')) };
    const parts = await split(body, { partBytes: 1_000_000, itemBytesMax: 1_000_000, partItemsMax: 10 }, { rows: ownerOf });
    expect(parts.map((part) => part.itemsEnd)).toEqual([10, 20, 25]);
    expect((await split(body, { skip: 10, partBytes: 1_000_000, partItemsMax: 10 })).map((part) => part.itemsEnd)).toEqual([20, 25]);
  });

  test('leaves out and counts an item that is too long', async () => {
    const parts = await split({ days: [{ a: 1 }, { a: 'x'.repeat(900) }, { a: 2 }] });
    expect(parts).toEqual([{ body: { days: [{ a: 1 }, { a: 2 }] }, itemsEnd: 3, tooLong: 1, isLast: true }]);
  });

  test('is unreadable when it is not an object or is truncated', async () => {
    for (const body of [[], 'no json', '{"days":[{}']) await expect(split(body)).rejects.toMatchObject({ code: 'push_unreadable' });
  });
});
