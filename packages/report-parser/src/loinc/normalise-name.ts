/**
 * Words for how or where something was measured, which do not distinguish most analytes. They count only by themselves or beside `urine`.
 */
const fillers = new Set([
  'serum',
  'plasma',
  'blood',
  'level',
  'test',
  'the',
  'in',
  'of',
  'and',
  'or',
  'by',
  'ser',
  'plas',
  'quantitative',
  'quant',
  'assay',
  'measured',
]);

/** Abbreviations, and words whose number or spelling varies. */
const forms: Readonly<Record<string, string>> = {
  ab: 'antibody',
  antibodies: 'antibody',
  ag: 'antigen',
  antigens: 'antigen',
  alb: 'albumin',
  baso: 'basophils',
  basos: 'basophils',
  bili: 'bilirubin',
  bind: 'binding',
  calc: 'calculated',
  cal: 'calculated',
  cap: 'capacity',
  chol: 'cholesterol',
  creat: 'creatinine',
  eos: 'eosinophils',
  glob: 'globulin',
  haematocrit: 'hematocrit',
  haemoglobin: 'hemoglobin',
  leucocyte: 'leukocyte',
  leucocytes: 'leukocytes',
  hep: 'hepatitis',
  lymph: 'lymphocytes',
  lymphs: 'lymphocytes',
  monos: 'monocytes',
  neuts: 'neutrophils',
  platelet: 'platelets',
  prot: 'protein',
  sat: 'saturation',
  tot: 'total',
  triglyceride: 'triglycerides',
  ur: 'urine',
  vit: 'vitamin',
};

/** Characters that OCR confuses, folded to one of them. */
export const foldName = (text: string): string =>
  text
    .replaceAll(/[1i|!]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('5', 's')
    .replaceAll('rn', 'm')
    .replaceAll('8', 'b');

/** The word `urine` among the words of a name. */
export const urineWord = foldName('urine');

/** The words of a test name for comparisons: lower case, without punctuation, look-alike characters folded. */
export function wordsOfName(name: string): readonly string[] {
  const plain = name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    // `Glucose, S` is of serum, `LDL-P` counts particles, and the letter in `Hemoglobin S` belongs to the name.
    .replaceAll(/,\s*[sp]$/g, '')
    .replaceAll(/\b([hl]dl)-p\b/g, '$1 particles')
    .replaceAll(/\(calc(?:ulated)?\)|,\s*calc(?:ulated)?$/g, ' calculated ')
    .replaceAll(/['’]/g, '')
    .replaceAll(/(?<=[a-z])\(([a-z])\)(?=[a-z])/g, '$1')
    .replaceAll('%', ' percent ')
    .replaceAll(/[^a-z0-9#+]+/g, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '');
  const full = plain.map((word) => forms[word] ?? word);
  const kept = full.filter((word) => !fillers.has(word));
  return (kept.some((word) => word !== 'urine') ? kept : full).map(foldName);
}
