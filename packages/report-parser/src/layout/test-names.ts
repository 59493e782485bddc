/** Words for whom a range is meant or how a value is graded: texts of nothing else are the lines of tables below results, not tests. */
const grades = new Set(
  (
    'male males female females men man women woman adult adults child children pediatric paediatric infant infants newborn newborns boys girls ' +
    'pregnant pregnancy nonpregnant smoker smokers nonsmoker nonsmokers postmenopausal menopausal premenopausal follicular luteal midcycle ' +
    'ovulatory ovulation phase trimester first second third 1st 2nd 3rd year years yr yrs month months day days week weeks age aged old ' +
    'severe severely mild mildly moderate moderately very near above below borderline increased decreased average low high higher lower normal ' +
    'optimal desirable acceptable ideal target goal deficient deficiency insufficient insufficiency sufficient sufficiency toxic toxicity ' +
    'elevated risk diabetes diabetic prediabetes prediabetic nondiabetic good fair poor control therapeutic prophylactic overweight obese ' +
    'underweight at to for of or and in the with no is if than less more greater up range ranges level levels value values reference interval ' +
    'intervals interpretation category stage relative non pre post cardiovascular negative positive equivocal detected'
  ).split(' '),
);
/** Grades that need another word: these alone can be names, or say nothing. */
const particles = new Set('at to for of or and in the with no is if than less more greater up'.split(' '));

/** Whether a text names groups of people or grades instead of a test: `Males`, `5-9.9 years`, `Very high risk`. */
export function isGrade(text: string): boolean {
  if (/^(?:reference|ref\.?) (?:range|interval|value)s?\b/i.test(text)) return true;
  const words = text
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '' && !/^\d+$/.test(word));
  return words.length > 0 && words.every((word) => grades.has(word)) && words.some((word) => !particles.has(word));
}
