import { readRange, type ReferenceRange } from './read-range.ts';

/** What a report prints about its patient that a reference range may depend on. */
export interface Patient {
  readonly sex: 'male' | 'female' | undefined;
  readonly ageYears: number | undefined;
}

const number = String.raw`\d+(?:,\d{3})*(?:\.\d+)?`;
const range = String.raw`(?:(?:<=?|>=?|≤|≥|up to|less than|below|above)\s*${number}|${number}\s*(?:-|–|—|to)\s*${number})`;
const sex = String.raw`\b(?:adult )?(?:fe)?males?\b|\b(?:wo)?m[ae]n\b|\b[mf]\b`;
const age = String.raw`(?:<=?|>=?|≤|≥)\s*\d{1,3}\s*y(?:ea)?r?s?\b|\d{1,3}\s*(?:-|–|to)\s*\d{1,3}\s*y(?:ea)?r?s?\b`;
const adults = String.raw`\badults?\b`;
/** From this age, in years, the ranges of adults apply. */
const adultMin = 18;
/** A label with the range behind it, or a range with its label in parentheses. */
const labelled = new RegExp(`(${sex}|${age}|${adults})\\)?\\s*[:=]?\\s*\\(?(${range})|(${range})\\s*\\((${sex}|${age})\\)`, 'gi');
/** Longer texts are not ranges. */
const textMax = 160;

function fits(label: string, { sex: own, ageYears }: Patient): boolean | undefined {
  if (new RegExp(`^(?:${sex})$`, 'i').test(label)) {
    const labelSex = /^(?:adult )?(?:f|wom)/i.test(label) ? 'female' : 'male';
    return own === undefined ? undefined : own === labelSex;
  }
  if (ageYears === undefined) return undefined;
  if (/^adult/i.test(label)) return ageYears >= adultMin;
  const [first = Number.NaN, second = Number.NaN] = (label.match(/\d+/g) ?? []).map(Number);
  if (/^(?:<|≤)/.test(label)) return label.includes('=') || label.startsWith('≤') ? ageYears <= first : ageYears < first;
  if (/^(?:>|≥)/.test(label)) return label.includes('=') || label.startsWith('≥') ? ageYears >= first : ageYears > first;
  return ageYears >= first && ageYears <= second;
}

/** Whether a text begins with a range for one sex or age. */
export const isLabelledRange = (text: string): boolean =>
  text.length <= textMax && new RegExp(`^(?:${labelled.source})`, 'i').test(text.trim());

/**
 * The range of a text such as `M: 13.5-17.5 F: 12.0-15.5` or `<50y: 0-20 >50y: 0-30` that applies to the patient; undefined when the text
 * has another form, or when sex or age are unknown or fit none or several of its ranges.
 */
export function rangeForPatient(text: string, unit: string | null, patient: Patient): ReferenceRange | undefined {
  if (text.length > textMax) return undefined;
  const found = [...text.matchAll(labelled)].map((match) => ({ label: match[1] ?? match[4] ?? '', range: match[2] ?? match[3] ?? '' }));
  const rest = text.replaceAll(labelled, ' ').replaceAll(unit ?? '', ' ');
  if (found.length === 0 || /[a-z\d]/i.test(rest)) return undefined;
  const fitting = found.filter(({ label }) => fits(label, patient));
  const [only] = fitting;
  return fitting.length === 1 && only ? readRange(only.range) : undefined;
}
