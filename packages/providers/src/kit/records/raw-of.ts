import { JsonNode } from '../values/json-node.ts';

/** The raw form of a record that several responses, or several parts of one, describe: an object with those that exist. */
export function rawOfParts(parts: Readonly<Record<string, JsonNode | undefined>>): JsonNode {
  return new JsonNode(Object.fromEntries(Object.entries(parts).flatMap(([name, node]) => (node ? [[name, node.value]] : []))));
}

/** The raw form of a record that items of a list describe: the item, or an object with all of them. */
export function rawOfItems(items: readonly JsonNode[]): JsonNode | undefined {
  return items.length > 1 ? new JsonNode({ items: items.map(({ value }) => value) }) : items[0];
}
