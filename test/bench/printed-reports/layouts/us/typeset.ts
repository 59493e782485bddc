import { letters, span, typeset, units } from '../../report/style.ts';
import type { Layout } from '../layout.ts';
import { tex, texDocument, texRow } from '../tex.ts';

/** A university's laboratory: rules above and below, ranges in brackets, a footnote sign for flags. */
export const universityLab: Layout = {
  id: 'us-university',
  country: 'us',
  engine: 'latex',
  about: 'university laboratory; ruled table; Analyte, Result, Units, [Reference]; daggers and asterisks explained below',
  style: {
    unit: units({ micro: 'µ', power: 'superscript' }),
    range: (limits) => span(limits, '–', typeset),
    flag: letters('H', 'L', { criticalHigh: 'HH', criticalLow: 'LL', abnormal: 'A' }),
    notMeasured: ['specimen hemolyzed', 'pending'],
  },
  print(report) {
    const sections = (
      [
        ['Metabolic panel', 'metabolic'],
        ['Complete blood count', 'countAbsolute'],
        ['Thyroid', 'thyroid'],
        ['Inflammation', ['crp', 'esr']],
      ] as const
    ).map(([title, panel]) => ({ title, lines: report.section(title, panel) }));
    const rows = sections.flatMap(({ title, lines }) => [
      `\\multicolumn{5}{l}{\\textit{${tex(title)}}} \\\\`,
      ...lines.map((line) =>
        texRow([
          `\\quad ${tex(line.name)}`,
          line.flag === null ? tex(line.value) : `\\textbf{${tex(line.value)}}`,
          tex(line.flag),
          tex(line.unit),
          line.range.text === null ? '' : `[${tex(line.range.text)}]`,
        ]),
      ),
      '\\addlinespace',
    ]);
    return texDocument({
      margins: 'margin=2.2cm,top=3cm,headheight=28pt',
      packages: `\\pagestyle{fancy}\\fancyhf{}\\lhead{\\textsc{${tex(report.lab('Larkmoor University Clinical Laboratories'))}}}\\rhead{${tex(report.name('LAST, FIRST'))}}\\cfoot{Page \\thepage}`,
      body: `\\begin{tabular}{@{}ll@{\\qquad}ll@{}}Patient & \\textbf{${tex(report.person.name)}} & MRN & ${tex(report.note(report.random.digits(8)))} \\\\ Birth date & ${tex(report.dob('DD-Mon-YYYY'))} & Sex & ${report.sex('male', 'female')} \\\\ Collected & ${tex(report.collected('DD-Mon-YYYY HH:mm'))} & Reported & ${tex(report.reported('DD-Mon-YYYY HH:mm'))} \\\\ Physician & ${tex(report.patient.doctor)} & Accession & ${tex(report.note(`S-24-${report.random.digits(5)}`))} \\\\ \\end{tabular}\\bigskip

\\begin{longtable}{@{}p{6.2cm}rlp{3cm}p{3.2cm}@{}}\\toprule Analyte & Result & & Units & Reference \\\\ \\midrule\\endhead ${rows.join('\n')} \\bottomrule\\end{longtable}
{\\footnotesize H, L: outside the interval; HH, LL: critical, called to the physician. ${tex(report.note('CLIA 99D0000000; CAP 9999999. Assays marked LDT were validated by this laboratory in 2019.'))}}`,
    });
  },
};

/** An endocrinology center: two tables side by side on one page, unit below the value's title. */
export const endocrineCenter: Layout = {
  id: 'us-endocrine-center',
  country: 'us',
  engine: 'latex',
  about: 'endocrinology center; two columns of small tables on one page; low and high limits in columns of their own',
  style: {
    nameVariant: 1,
    unit: units({ power: 'caret' }),
    range: (limits) => span(limits, ' – ', typeset),
    flag: letters('high', 'low', { abnormal: 'abn' }),
    notMeasured: ['QNS'],
  },
  print(report) {
    const table = (title: string, panel: Parameters<typeof report.section>[1]) => {
      const lines = report.section(title, panel);
      // The limits are printed, but no text of a range.
      for (const line of lines) line.range.text = null;
      return `\\textbf{${tex(title)}}\\par\\smallskip\\begin{tabular}{|>{\\raggedright\\arraybackslash}p{2.9cm}|r|p{1.5cm}|r|r|}\\hline \\rowcolor[gray]{0.88} Test & Result & Unit & Low & High \\\\ \\hline ${lines.map((line) => texRow([tex(line.name), `${tex(line.value)}${line.flag === null ? '' : ` \\textit{${tex(line.flag)}}`}`, tex(line.unit), tex(line.limits?.lowText), tex(line.limits?.highText)])).join(' \\hline ')} \\hline\\end{tabular}\\par\\bigskip`;
    };
    return texDocument({
      options: '9pt,letterpaper,twocolumn',
      margins: 'margin=1.5cm',
      font: 'helvet}\\renewcommand{\\familydefault}{\\sfdefault',
      packages: '\\setlength{\\columnsep}{8mm}\\pagestyle{empty}\\setlength{\\tabcolsep}{3pt}',
      body: `\\twocolumn[{\\Large\\bfseries ${tex(report.lab('Sandhill Endocrine Center'))}\\par}\\smallskip Name: ${tex(report.name('L, F'))} \\hfill DOB: ${tex(report.dob('MM/DD/YY'))} \\hfill Sex: ${report.sex('M', 'F')} \\hfill Drawn: ${tex(report.collected('MM/DD/YY'))} \\hfill ${tex(report.note(`ID ${report.random.digits(6)}`))}\\par\\medskip\\hrule\\bigskip]\\footnotesize
${table('Thyroid', ['tsh', 'ft4', 'ft3', 'tpo'])}${table('Adrenal', ['cortisol', 'dheas'])}${table('Gonadal', ['testosterone', 'freeTestosterone', 'shbg', 'estradiol', 'fsh', 'lh', 'prolactin'])}
\\newpage ${table('Diabetes', ['glucose', 'a1c', 'insulin'])}${table('Bone', ['calcium', 'phosphate', 'vitaminD', 'pth'])}${table('Lipids', ['cholesterol', 'triglycerides', 'hdl', 'ldl'])}`,
    });
  },
};

/** A women's health service: each result in a paragraph, its range in parentheses under it. */
export const resultParagraphs: Layout = {
  id: 'us-result-paragraphs',
  country: 'us',
  engine: 'latex',
  about: 'summary in lines of text: "Name: value unit (Normal: low - high) FLAG", sections as headings',
  style: {
    unit: units({ power: 'x10^' }),
    range: (limits) => span(limits, ' - '),
    flag: letters('*HIGH*', '*LOW*', { abnormal: '*ABNORMAL*' }),
    unitWithoutValue: false,
    notMeasured: ['not performed'],
  },
  print(report) {
    const block = (title: string, panel: Parameters<typeof report.section>[1]) =>
      `\\subsection*{${tex(title)}}${report
        .section(title, panel)
        .map(
          (line) =>
            `${tex(line.name)}: ${tex(line.value)}${line.unit === null || line.notMeasured ? '' : ` ${tex(line.unit)}`}${line.range.text === null ? '' : ` (Normal: ${tex(line.range.text)})`}${line.flag === null ? '' : ` ${tex(line.flag)}`}`,
        )
        .join('\\\\\n')}\n`;
    return texDocument({
      font: 'mathptmx',
      body: `\\begin{center}{\\large\\bfseries ${tex(report.lab('Marigold Health Laboratory'))}}\\\\Laboratory Results Summary\\end{center}
Patient Name: ${tex(report.name('F L'))}\\\\Date of Birth: ${tex(report.dob('MONTH D, YYYY'))}\\\\Gender: ${report.sex('Male', 'Female')}\\\\Collection Date: ${tex(report.collected('MONTH D, YYYY'))}\\\\Report Date: ${tex(report.reported('MONTH D, YYYY'))}\\\\${tex(report.note(`Order Number: ${report.random.digits(8)}`))}
${block('Hematology', 'count')}${block('Iron Studies', 'iron')}${block('Chemistry', 'basic')}${block('Urinalysis', ['specificGravity', 'urinePh', 'urineGlucose', 'urineProtein', 'urineNitrite', 'urineEsterase'])}${block('Infectious Disease', ['hiv', 'hcv', 'chlamydia', 'gonorrhea'])}`,
    });
  },
};
