import { compareBounds, type Direction } from './compare-bounds.ts';
import { alternativesOf, isObject, objectAt, textsAt, type Schema } from './schema-nodes.ts';

/** One promise that the newer version breaks, and where. */
export interface Break {
  readonly path: string;
  readonly problem: string;
}

/** An older and a newer version, each with the document that its references point into. */
export interface Versions {
  readonly older: unknown;
  readonly newer: unknown;
}

interface Comparison {
  readonly documents: Versions;
  readonly direction: Direction;
  /** Pairs of schemas that are being compared: a schema may contain itself. */
  readonly open: ReadonlyMap<unknown, ReadonlySet<unknown>>;
  readonly depth: number;
}

/** Far deeper than any body may be. */
const depthMax = 64;

const at = (path: string, problem: string): readonly Break[] => [{ path, problem }];
const nameOf = (value: unknown) => (typeof value === 'string' ? value : value === undefined ? 'any' : JSON.stringify(value));

function compareProperties(older: Schema, newer: Schema, path: string, comparison: Comparison): readonly Break[] {
  const [before, after] = [objectAt(older['properties']), objectAt(newer['properties'])];
  const [requiredBefore, requiredAfter] = [textsAt(older['required']), textsAt(newer['required'])];
  const known = Object.keys(before).flatMap((key) => {
    const inner = `${path}/${key}`;
    return key in after ? compare({ older: before[key], newer: after[key] }, inner, comparison) : at(inner, 'the field is gone');
  });
  const isRequest = comparison.direction === 'received';
  const [from, to] = isRequest ? [requiredBefore, requiredAfter] : [requiredAfter, requiredBefore];
  const changed = to.filter((key) => !from.includes(key) && (isRequest || key in after));
  const problem = isRequest ? 'the field is now required' : 'the field is no longer always there';
  return [...known, ...changed.flatMap((key) => at(`${path}/${key}`, problem))];
}

/** Maps: the schema of whatever keys they have. */
function compareMaps(older: Schema, newer: Schema, path: string, comparison: Comparison): readonly Break[] {
  const [before, after] = [older['additionalProperties'], newer['additionalProperties']];
  const [patterns, now] = [objectAt(older['patternProperties']), objectAt(newer['patternProperties'])];
  const ofPatterns = Object.entries(patterns).flatMap(([pattern, schema]) =>
    pattern in now ? compare({ older: schema, newer: now[pattern] }, `${path}/*`, comparison) : at(path, `keys like ${pattern} are gone`),
  );
  if (isObject(before) && isObject(after)) return [...ofPatterns, ...compare({ older: before, newer: after }, `${path}/*`, comparison)];
  const closes = comparison.direction === 'received' && before !== false && after === false && older['type'] === 'object';
  return [...ofPatterns, ...(closes ? at(path, 'unknown fields are no longer accepted') : [])];
}

function valuesOf(schema: Schema): readonly string[] | undefined {
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  return Array.isArray(values) ? values.filter((value) => value !== null).map((value) => JSON.stringify(value)) : undefined;
}

function compareValues(older: Schema, newer: Schema, path: string, { direction }: Comparison): readonly Break[] {
  const [before, after] = [valuesOf(older), valuesOf(newer)];
  if (after === undefined) return before === undefined || direction === 'received' ? [] : at(path, 'any value is possible now');
  if (before === undefined) return direction === 'sent' ? [] : at(path, `only ${after.join(', ')} is accepted now`);
  const gone = before.filter((value) => !after.includes(value));
  return gone.length === 0 ? [] : at(path, `the value ${gone.join(', ')} is gone`);
}

function compareLists(older: Schema, newer: Schema, path: string, comparison: Comparison): readonly Break[] {
  return ['allOf', 'prefixItems'].flatMap((keyword) => {
    const [before, after] = [older[keyword], newer[keyword]].map((list): unknown[] => (Array.isArray(list) ? list : []));
    if (before?.length !== after?.length) return at(path, `${keyword} has another length`);
    return (before ?? []).flatMap((schema, index) =>
      compare({ older: schema, newer: after?.[index] }, `${path}/${keyword}/${index}`, comparison),
    );
  });
}

function compareOne(older: Schema, newer: Schema, path: string, comparison: Comparison): readonly Break[] {
  const open = comparison.open.get(older);
  if (open?.has(newer)) return [];
  const inner = { ...comparison, open: new Map(comparison.open).set(older, new Set(open).add(newer)) };
  const [before, after] = [older['type'], newer['type']];
  // Whole numbers are numbers: a request may accept more, and what we send may promise more.
  const [narrow, wide] = comparison.direction === 'received' ? [before, after] : [after, before];
  const fits = before === after || wide === undefined || (narrow === 'integer' && wide === 'number');
  if (!fits) return at(path, `the type changed from ${nameOf(before)} to ${nameOf(after)}`);
  const items = 'items' in older && 'items' in newer ? compare({ older: older['items'], newer: newer['items'] }, `${path}/[]`, inner) : [];
  return [
    ...compareValues(older, newer, path, inner),
    ...compareBounds(older, newer, comparison.direction).flatMap((problem) => at(path, problem)),
    ...compareProperties(older, newer, path, inner),
    ...compareMaps(older, newer, path, inner),
    ...compareLists(older, newer, path, inner),
    ...items,
  ];
}

const describe = (schema: Schema) => nameOf(schema['title'] ?? schema['const'] ?? schema['type']);

/** The alternatives of the other version that may stand for this one: those of the same name, else of the same type. */
function counterparts(schema: Schema, others: readonly Schema[]): readonly Schema[] {
  const sameType = others.filter((other) => other['type'] === schema['type']);
  const sameName = sameType.filter((other) => schema['title'] !== undefined && other['title'] === schema['title']);
  if (sameName.length > 0) return sameName;
  return sameType.length > 0 ? sameType : others.filter((other) => areNumbers(schema, other) || other['type'] === undefined);
}

function areNumbers(one: Schema, other: Schema): boolean {
  return [one, other].every((schema) => schema['type'] === 'number' || schema['type'] === 'integer');
}

function isNewValue(schema: Schema, before: readonly Schema[]): boolean {
  // New kinds of objects are additions, as new event types are.
  if (schema['type'] === 'object') return false;
  return !before.some((other) => other['type'] === schema['type'] || other['type'] === undefined || areNumbers(schema, other));
}

function compareUnions(before: readonly Schema[], after: readonly Schema[], path: string, comparison: Comparison): readonly Break[] {
  const isSent = comparison.direction === 'sent';
  const kept = before.flatMap((schema) => {
    if (isSent && schema['type'] === 'null') return [];
    const found = counterparts(schema, after).map((other) => compareOne(schema, other, path, comparison));
    // Of several candidates the closest.
    return found.toSorted((a, b) => a.length - b.length)[0] ?? at(path, `the alternative ${describe(schema)} is gone`);
  });
  const added = isSent ? after.filter((schema) => isNewValue(schema, before)) : [];
  return [...kept, ...added.flatMap((schema) => at(path, `${describe(schema)} is possible now`))];
}

/** Compares what `older` and `newer` allow; additions are fine. */
function compare({ older, newer }: Versions, path: string, comparison: Comparison): readonly Break[] {
  if (comparison.depth > depthMax) return [];
  const inner = { ...comparison, depth: comparison.depth + 1 };
  const before = alternativesOf(older, comparison.documents.older);
  const after = alternativesOf(newer, comparison.documents.newer);
  const [one, other] = [before[0], after[0]];
  if (before.length === 1 && after.length === 1 && one && other) return compareOne(one, other, path, inner);
  return compareUnions(before, after, path, inner);
}

/** Every promise of the older schema that the newer one breaks. */
export function compareSchemas(schemas: Versions, documents: Versions, direction: Direction, path: string): readonly Break[] {
  return compare(schemas, path, { documents, direction, open: new Map(), depth: 0 });
}
