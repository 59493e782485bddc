import type { ResultType } from '../model/report.ts';

const number = /^[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[-+]?\d{1,2})?$/i;
const comparator = /^(?:<=|>=|<|>|≤|≥)\s*\d[\d,]*(?:\.\d+)?$/;
const words =
  /^(?:positive|negative|reactive|non-?reactive|detected|not detected|none detected|present|absent|yes|no|normal|abnormal|trace|none seen|none|clear|cloudy|hazy|yellow|amber|straw|immune|non-?immune|equivocal|indeterminate|pending|see note|see comment|comment|tnp|qns|not done|not tested|not reported|(?:sample |specimen |quantity )?(?:insufficient|not sufficient)|insufficient (?:sample|specimen|quantity|volume)|not performed|not processed|unable to test|no result|see below|cancelled|canceled|(?:specimen |sample )?(?:haemolysed|hemolyzed|clotted|contaminated|not received)|haem|insuf|hemolysis|haemolysis|few|many|moderate|rare|small|large)\.?$/i;
const yesOrNo = /^(?:positive|negative|yes|no|true|false|present|absent|detected|not detected|reactive|non-?reactive)$/i;

/** A value without footnote marks and without spaces after comparators: `<0.5 A` → `<0.5`. */
export function cleanValue(text: string): string {
  return text
    .trim()
    .replace(/^([<>]=?|≤|≥)\s+/, '$1')
    .replaceAll(/[*†‡¹²³]+$/g, '')
    .replace(/(?<=\d)\s*\((?:\d{1,2}|[a-z])\)$/i, '')
    .trim();
}

/** Whether the text can be a value: a number, a comparison, a titer or one of the usual words. */
export function looksLikeValue(text: string): boolean {
  const value = cleanValue(text);
  if (value === '' || value.length > 40) return false;
  return (
    isNumber(value) ||
    comparator.test(value) ||
    words.test(value) ||
    /^\d+(?:\.\d+)?\s?%$/.test(value) ||
    /^\d+[:/]\d+$/.test(value) ||
    /^\d+(?:\.\d+)?\s?[-–]\s?\d+(?:\.\d+)?$/.test(value) ||
    /^(?:positive|negative|reactive|non-?reactive)[, ]+\(?1 ?: ?\d+\)?$/i.test(value) ||
    /^[1-4]\+$/.test(value)
  );
}

export const isNumber = (text: string): boolean => /\d/.test(text) && number.test(text);

/** The number in a value; undefined when it is not a plain number or percentage. */
export function numberOf(value: string): number | undefined {
  const text = value.replace(/\s?%$/, '');
  return isNumber(text) ? Number(text.replaceAll(',', '')) : undefined;
}

export function typeOfValue(value: string): ResultType {
  if (isNumber(value)) return 'numeric';
  if (comparator.test(value) || /^\d+(?:\.\d+)?\s?[-–]\s?\d+(?:\.\d+)?$/.test(value)) return 'range';
  if (/^\d+(?:\.\d+)?\s?%$/.test(value)) return 'percentage';
  if (/^\d+(?:\.\d+)?\/\d+(?:\.\d+)?$/.test(value)) return 'ratio';
  if (/^\d+(?:\.\d+)?\s?(?:h|hr|hrs|hours?|min|minutes?|s|sec|seconds?|days?)$/i.test(value)) return 'duration';
  return yesOrNo.test(value) ? 'boolean' : 'comment';
}
