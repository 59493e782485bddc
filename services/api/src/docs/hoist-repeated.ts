import { STATUS_CODES } from 'node:http';

type Part = Record<string, unknown>;

interface Operation {
  parameters?: Part[];
  responses?: Record<string, Part>;
}

interface Variant {
  readonly part: Part;
  readonly name: string;
  uses: number;
}

const pascal = (text: string) => text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function operationsOf(paths: unknown): Operation[] {
  return Object.values((paths ?? {}) as Record<string, object>).flatMap((path) => Object.values(path) as Operation[]);
}

const responseName = (status: string) => pascal(STATUS_CODES[status] ?? status);
const parameterName = ({ name, in: place }: Part) => `${pascal(String(name))}${pascal(String(place))}`;

/** The most frequent variant of each name, if it is used more than once. */
function chooseShared(variants: Iterable<Variant>): Map<string, Variant> {
  const chosen = new Map<string, Variant>();
  for (const variant of variants) {
    if (variant.uses > 1 && variant.uses > (chosen.get(variant.name)?.uses ?? 0)) chosen.set(variant.name, variant);
  }
  return chosen;
}

function countVariant(variants: Map<string, Variant>, name: string, part: Part): void {
  const text = JSON.stringify(part);
  const known = variants.get(text);
  if (known === undefined) variants.set(text, { part, name, uses: 1 });
  else known.uses += 1;
}

function sharedParts(variants: Map<string, Variant>, kind: string) {
  const chosen = chooseShared(variants.values());
  const sorted = [...chosen].toSorted(([a], [b]) => a.localeCompare(b));
  return {
    parts: Object.fromEntries(sorted.map(([name, { part }]) => [name, part])),
    replace(part: Part): Part {
      const variant = variants.get(JSON.stringify(part));
      if (variant === undefined || chosen.get(variant.name) !== variant) return part;
      return { $ref: `#/components/${kind}/${variant.name}` };
    },
  };
}

/** Moves error responses and parameters that several operations share to `components`, and replaces them by references. */
export function hoistRepeated(document: Record<string, unknown>): Record<string, unknown> {
  const operations = operationsOf(document['paths']);
  const responses = new Map<string, Variant>();
  const parameters = new Map<string, Variant>();
  for (const operation of operations) {
    for (const [status, part] of Object.entries(operation.responses ?? {})) {
      if (Number(status) >= 300) countVariant(responses, responseName(status), part);
    }
    for (const part of operation.parameters ?? []) countVariant(parameters, parameterName(part), part);
  }
  const sharedResponses = sharedParts(responses, 'responses');
  const sharedParameters = sharedParts(parameters, 'parameters');
  for (const operation of operations) {
    if (operation.parameters) operation.parameters = operation.parameters.map(sharedParameters.replace);
    const entries = Object.entries(operation.responses ?? {});
    if (operation.responses)
      operation.responses = Object.fromEntries(entries.map(([status, part]) => [status, sharedResponses.replace(part)]));
  }
  const components = { ...(document['components'] as object), responses: sharedResponses.parts, parameters: sharedParameters.parts };
  return { ...document, components };
}
