import type { Analyte, LoincMatch, LoincMatchStatus, SampleType } from '../model/report.ts';
import { compareUnits } from '../values/unit-kind.ts';
import { furtherAnalytes } from './further-analytes.ts';
import { variantsOf } from './name-variants.ts';
import { foldName, urineWord, wordsOfName } from './normalise-name.ts';
import { spellingLikeness } from './spelling.ts';
import { assumedNames, synonyms } from './synonyms.ts';

export interface LoincResult {
  /** Best first. */
  readonly matches: readonly LoincMatch[];
  readonly status: LoincMatchStatus;
}

/**
 * Matches a test name; unit and sample distinguish analytes of the same name. `isFinding`: the result is a finding such as `Negative`, which
 * is no result of an analyte with a unit.
 */
export type MatchLoinc = (name: string, unit: string | null, sample?: SampleType, isFinding?: boolean) => LoincResult;

interface Entry {
  readonly analyte: Analyte;
  readonly isUrine: boolean;
  readonly names: readonly (readonly string[])[];
  readonly keys: ReadonlySet<string>;
  /** Keys of names that leave the method of the analyte open. */
  readonly assumed: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  /** The names without spaces. */
  readonly spellings: ReadonlySet<string>;
}

const matchesMax = 5;
const exactScore = 0.99;
/** Without its parentheses, or by the abbreviation in them. */
const variantScore = 0.95;
/** Parentheses with unknown content may distinguish another analyte. */
const asideScore = 0.84;
/** OCR inserts and omits spaces. */
const respacedScore = 0.93;
/** A misspelled name always needs a review. */
const misspelledScore = 0.83;
const autoScore = 0.85;
const reviewScore = 0.6;
const otherSample = 0.4;
/** Candidates this close are equally good; only what is printed may distinguish them. */
const tieMax = 0.005;
const penalties = { same: 0, unknown: 0.2, different: 0.4 };

/** Specimens that analytes of blood are not measured in. */
const specimens = new Set(
  [
    'csf',
    'cerebrospinal',
    'fluid',
    'stool',
    'fecal',
    'faecal',
    'saliva',
    'salivary',
    'sweat',
    'synovial',
    'pleural',
    'semen',
    'rbc',
    'hair',
    'capillary',
  ].map(foldName),
);
/** Words that unrelated analytes share, so that they alone make no candidate. */
const common = new Set(
  'antibody antigen total free ratio calculated index percent absolute count hormone protein vitamin factor screen igg igm iga ige score number a b c d direct virus quantitative qualitative urine level activity acid cell cells'
    .split(' ')
    .map(foldName),
);

/** The words of a name in a fixed order, so that `Total Cholesterol` is `Cholesterol, Total`. */
const keyOf = (words: readonly string[]) => [...new Set(words)].toSorted().join(' ');

function toEntry(analyte: Analyte): Entry {
  const assumedWords = (assumedNames[analyte.loincCode] ?? []).map(wordsOfName);
  const assumed = new Set(assumedWords.map(keyOf));
  const names = [analyte.displayName, analyte.loincName, ...analyte.aliases, ...(synonyms[analyte.loincCode] ?? [])].map(wordsOfName);
  const isUrine = /\burine\b/i.test(`${analyte.displayName} ${analyte.loincName}`);
  return {
    analyte,
    isUrine,
    names: [...names, ...assumedWords],
    keys: new Set(names.map(keyOf)),
    assumed,
    words: new Set(names.flat()),
    spellings: new Set(names.map((words) => words.join(''))),
  };
}

/** Indexes the analytes by the words of their names, so that a name is only compared with analytes that share a word. */
export function createLoincMatcher(analytes: readonly Analyte[]): MatchLoinc {
  const byWord = new Map<string, Set<Entry>>();
  const entries: Entry[] = [];
  const known = new Set(analytes.map(({ loincCode }) => loincCode));
  for (const analyte of [...analytes, ...furtherAnalytes.filter(({ loincCode }) => !known.has(loincCode))]) {
    const entry = toEntry(analyte);
    entries.push(entry);
    for (const word of entry.names.flat()) {
      const others = byWord.get(word);
      if (others) others.add(entry);
      else byWord.set(word, new Set([entry]));
    }
  }
  return (name, unit, sample, isFinding = false) => {
    const variants = variantsOf(name);
    const isUrine = sample === 'urine';
    const candidates = new Set(variants.flatMap(({ words }) => words).flatMap((word) => [...(byWord.get(word) ?? [])]));
    const byWords = best([...candidates].map((entry) => ({ entry, score: scoreOf(entry, variants, unit, isUrine) })));
    const isKnown = (byWords[0]?.score ?? 0) >= autoScore;
    const scored = isKnown ? byWords : best(entries.map((entry) => ({ entry, score: scoreOf(entry, variants, unit, isUrine, true) })));
    const highest = scored[0]?.score ?? 0;
    const isMeasured = (scored[0]?.entry.analyte.units.length ?? 0) > 0;
    const isTie = scored.length > 1 && highest - (scored[1]?.score ?? 0) <= tieMax;
    return {
      matches: scored.map(({ entry: { analyte }, score }) => ({
        loincCode: analyte.loincCode,
        loincName: analyte.loincName,
        displayName: analyte.displayName,
        aliases: analyte.aliases,
        confidenceScore: Math.round(score * 100) / 100,
      })),
      status:
        highest >= autoScore && !isTie && !(isFinding && isMeasured) ? 'auto_match' : highest >= reviewScore ? 'needs_review' : 'no_match',
    };
  };
}

interface Scored {
  readonly entry: Entry;
  readonly score: number;
}

/** The best candidates, best first. */
const best = (scored: readonly Scored[]): readonly Scored[] =>
  scored
    .filter(({ score }) => score >= reviewScore)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, matchesMax);

/** The score of a name by its spelling, for names whose words are unknown. */
function spellingScore(entry: Entry, words: readonly string[]): number {
  const read = words.join('');
  const alike = [...entry.spellings].reduce((most, spelling) => Math.max(most, spellingLikeness(read, spelling)), 0);
  return alike === 1 ? respacedScore : alike * misspelledScore;
}

/** How well a name matches; a unit in which the analyte is not reported and a different sample lower the score. */
function scoreOf(entry: Entry, variants: ReturnType<typeof variantsOf>, unit: string | null, isUrine: boolean, isMisread = false): number {
  let score = 0;
  for (const [index, { words, aside, isAbbreviated }] of variants.entries()) {
    const readings = isUrine && entry.isUrine ? [words, [...words, urineWord]] : [words];
    const isSame = readings.some((reading) => entry.keys.has(keyOf(reading)));
    const isExplained = aside === undefined || isAbbreviated === true || entry.keys.has(keyOf(aside));
    if (isSame) score = Math.max(score, index === 0 ? exactScore : isExplained ? variantScore : asideScore);
    else if (readings.some((reading) => entry.assumed.has(keyOf(reading)))) score = Math.max(score, asideScore);
    else if (index === 0) score = Math.max(...entry.names.map((name) => likeness(name, words))) * 0.95;
  }
  if (variants[0]?.words.some((word) => specimens.has(word) && !entry.words.has(word))) score -= otherSample;
  if (isMisread) score = Math.max(score, spellingScore(entry, variants[0]?.words ?? []));
  const saysUrine = isUrine || variants[0]?.words.includes(urineWord) === true;
  // A full name without `urine`, such as `Albumin/Creatinine Ratio`, does not indicate another sample.
  if (saysUrine !== entry.isUrine && (saysUrine || score < variantScore)) score -= otherSample;
  const { units } = entry.analyte;
  if (units.length === 0 || unit === null) return score - 0.02;
  return score - Math.min(...units.map((one) => penalties[compareUnits(one, unit)]));
}

/** Twice the number of common words of two names, divided by the number of all their words. */
function likeness(one: readonly string[], other: readonly string[]): number {
  const rest = new Set(other);
  const shared = new Set(one.filter((word) => rest.has(word)));
  if ([...shared].every((word) => common.has(word))) return 0;
  return (2 * shared.size) / (new Set(one).size + rest.size);
}
