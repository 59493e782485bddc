import { wordsOfName } from './normalise-name.ts';

/** One reading of a printed name. */
export interface NameVariant {
  readonly words: readonly string[];
  /** The parenthesised text that this reading leaves out. */
  readonly aside?: readonly string[] | undefined;
  /** Whether the text outside or inside the parentheses abbreviates the other. */
  readonly isAbbreviated?: boolean;
}

const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Whether the letters of `short` occur in `long` in their order, from its first one: `AST` in `Aspartate Aminotransferase`. */
function abbreviates(short: string, long: string): boolean {
  const [few, many] = [letters(short), letters(long)];
  if (few.length < 2 || few[0] !== many[0]) return false;
  let at = 0;
  for (const letter of many) if (letter === few[at]) at += 1;
  return at === few.length;
}

/** The name as printed, without its parentheses, and only the abbreviation inside them. */
export function variantsOf(name: string): readonly NameVariant[] {
  const whole = { words: wordsOfName(name) };
  const inside = /\s\(([^()]{2,})\)|(?<=[.\w])\(([^()]{3,})\)/.exec(name);
  if (!inside) return [whole];
  const content = inside[1] ?? inside[2] ?? '';
  const outside = `${name.slice(0, inside.index)} ${name.slice(inside.index + inside[0].length)}`;
  const isAbbreviated = abbreviates(content, name.slice(0, inside.index));
  const short: NameVariant[] = isAbbreviated ? [{ words: wordsOfName(content), isAbbreviated }] : [];
  return [whole, { words: wordsOfName(outside), aside: wordsOfName(content), isAbbreviated }, ...short];
}
