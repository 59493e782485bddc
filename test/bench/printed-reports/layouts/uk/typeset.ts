import { letters, span, typeset, units } from '../../report/style.ts';
import type { Layout } from '../layout.ts';
import { tex, texDocument, texRow } from '../tex.ts';

/** A private laboratory in London style: grey bands, flags in a narrow column before the value. */
export const privateLaboratory: Layout = {
  id: 'uk-private-laboratory',
  country: 'uk',
  engine: 'latex',
  about: 'private laboratory; grey bands; flag column before the value; range in brackets after the unit; raised exponents',
  style: {
    quantities: ['si', 'conventional'],
    name: (text) => text.toUpperCase(),
    unit: units({ micro: 'µ', power: 'x 10', words: {} }),
    range: (limits) => span(limits, ' – ', { below: '< ', above: '> ', atMost: '≤ ', atLeast: '≥ ' }),
    flag: letters('H', 'L', { abnormal: '*' }),
    notMeasured: ['INSUFFICIENT', 'HAEMOLYSED'],
  },
  print(report) {
    const sections = (
      [
        [
          'HAEMATOLOGY',
          [
            ...'hemoglobin hematocrit rbc mcv mch mchc rdw platelets wbc neutrophils lymphocytes monocytes eosinophils basophils'.split(
              ' ',
            ),
            'esr',
          ],
        ],
        [
          'BIOCHEMISTRY',
          [
            'sodium',
            'potassium',
            'chloride',
            'co2',
            'urea',
            'creatinine',
            'egfr',
            'bilirubin',
            'alp',
            'ast',
            'alt',
            'ck',
            'ggt',
            'protein',
            'albumin',
            'globulin',
            'calcium',
            'phosphate',
            'urate',
            'glucose',
            'triglycerides',
            'cholesterol',
            'hdl',
            'ldl',
          ],
        ],
        ['ENDOCRINOLOGY', ['tsh', 'ft4']],
        ['SPECIAL CHEMISTRY', ['ferritin', 'vitaminD', 'b12']],
      ] as const
    ).map(([title, panel]) => ({ title, lines: report.section(title, panel) }));
    const rows = sections.flatMap(({ title, lines }) => [
      `\\rowcolor[gray]{0.9}\\multicolumn{5}{l}{\\textbf{${title}}} \\\\`,
      ...lines.map((line) =>
        texRow([
          tex(line.name),
          `\\textbf{${tex(line.flag)}}`,
          tex(line.value),
          tex(line.unit),
          line.range.text === null ? '' : `( ${tex(line.range.text)} )`,
        ]),
      ),
    ]);
    return texDocument({
      options: '10pt,a4paper',
      margins: 'margin=2cm,headheight=60pt,top=4.2cm',
      font: 'helvet}\\renewcommand{\\familydefault}{\\sfdefault',
      packages: `\\pagestyle{fancy}\\fancyhf{}\\renewcommand{\\headrulewidth}{0.4pt}\\lhead{\\textbf{${tex(report.lab('Marchmont Clinical Laboratories'))}}\\\\ Patient: ${tex(report.name('LAST F'))} \\quad ${report.sex('Male', 'Female')} \\quad DOB ${tex(report.dob('DD/MM/YYYY'))}\\\\ ${tex(report.note(`Lab Ref. ${report.random.digits(7)}/MCL`))}}\\rhead{Received ${tex(report.received('DD/MM/YYYY'))}\\\\ Sample collected ${tex(report.collected('DD/MM/YYYY'))}\\\\ Reported ${tex(report.reported('DD/MM/YYYY'))}}\\cfoot{${tex(report.note('60 Wigton Street W1Z 9QQ'))} \\hfill Page \\thepage}`,
      body: `\\small\\begin{longtable}{p{5.6cm}p{0.6cm}rp{2.8cm}p{3.6cm}} ${rows.join('\n')} \\end{longtable}${tex(report.note('Adult vitamin D status: deficient < 25 nmol/L, insufficient 25 – 50 nmol/L.'))}`,
    });
  },
};

/** A research hospital: columns ruled, ranges by sex and age below the name in small type. */
export const researchHospital: Layout = {
  id: 'uk-research-hospital',
  country: 'uk',
  engine: 'latex',
  about: 'research hospital; range below the name in small type, "Ref:"; result right aligned; arrows beside what is outside',
  style: {
    quantities: ['si', 'conventional'],
    nameVariant: 1,
    unit: units({ power: 'superscript', micro: 'µ' }),
    range: (limits) => span(limits, '–', typeset),
    flag: letters('↑', '↓', { criticalHigh: '↑↑', criticalLow: '↓↓', abnormal: '!' }),
    notMeasured: ['not analysed'],
  },
  print(report) {
    const block = (title: string, panel: Parameters<typeof report.section>[1]) =>
      `\\section*{${tex(title)}}\\begin{longtable}{@{}p{8cm}rp{3.4cm}@{}}\\toprule ${report
        .section(title, panel)
        .map(
          (line) =>
            `${tex(line.name)}${line.range.text === null ? '' : `\\newline{\\scriptsize Ref: ${tex(line.range.text)}${line.unit === null ? '' : ` ${tex(line.unit)}`}}`} & \\textbf{${tex(line.value)}} ${tex(line.flag)} & ${line.notMeasured ? '' : tex(line.unit)} \\\\ \\midrule`,
        )
        .join('\n')}\\end{longtable}`;
    return texDocument({
      options: '10pt,a4paper',
      packages: '\\usepackage{titlesec}\\titlespacing*{\\section}{0pt}{6pt}{0pt}\\titleformat{\\section}{\\normalsize\\bfseries}{}{0pt}{}',
      body: `{\\Large ${tex(report.lab('Isambard Research Hospital'))}}\\hfill Clinical Laboratory Report\\par\\medskip\\fbox{\\parbox{0.97\\linewidth}{Name: \\textbf{${tex(report.name('F L'))}} \\hfill Born: ${tex(report.dob('DD Mon YYYY'))} \\hfill Sex: ${report.sex('M', 'F')} \\hfill ${tex(report.note(`Study no. ${report.random.digits(4)}-07`))}\\\\ Venesection: ${tex(report.collected('DD Mon YYYY, HH:mm'))} \\hfill Issued: ${tex(report.reported('DD Mon YYYY, HH:mm'))}}}
${block('Electrolytes and kidney', 'renalUk')}${block('Bone', 'bone')}${block('Iron', 'iron')}${block('Glucose metabolism', ['glucose', 'a1cIfcc', 'insulin'])}${block('Lipoproteins', ['cholesterol', 'hdl', 'ldl', 'apob', 'apoa1', 'lpa', 'homocysteine'])}`,
    });
  },
};
