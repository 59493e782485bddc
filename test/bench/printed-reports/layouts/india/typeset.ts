import { letters, span, units } from '../../report/style.ts';
import type { Layout } from '../layout.ts';
import { tex, texDocument, texRow } from '../tex.ts';

/** An institute: grid, serial numbers, specimen of each row. */
export const medicalInstitute: Layout = {
  id: 'in-medical-institute',
  country: 'in',
  engine: 'latex',
  about: 'medical institute; grid with serial numbers; columns S.No., Test, Specimen, Result, Unit, Biological Reference Interval',
  style: {
    quantities: ['conventional', 'india'],
    nameVariant: 1,
    name: (_, analyte) => analyte.names.in[1] ?? analyte.names.in[0] ?? analyte.key,
    unit: units({ power: 'superscript', micro: 'µ' }),
    range: (limits) => span(limits, '–', { below: '<', above: '>', atMost: '≤', atLeast: '≥' }),
    flag: letters('(H)', '(L)', { abnormal: '(A)' }),
    notMeasured: ['Haemolysed sample', 'QNS'],
  },
  print(report) {
    const panels = [
      [
        'Clinical Biochemistry',
        [
          'glucose',
          'urea',
          'creatinine',
          'urate',
          'bilirubin',
          'bilirubinDirect',
          'ast',
          'alt',
          'alp',
          'protein',
          'albumin',
          'calcium',
          'phosphate',
          'sodium',
          'potassium',
          'chloride',
        ],
      ],
      ['Haematology', 'countIndia'],
      ['Hormones', ['tsh', 'ft4', 'prolactin']],
    ] as const;
    let number = 0;
    const rows = panels.flatMap(([title, panel]) => [
      `\\multicolumn{6}{|c|}{\\textbf{${tex(title)}}} \\\\ \\hline`,
      ...report.section(title, panel).map((line) => {
        line.specimen = line.analyte.specimen;
        return `${texRow([String(++number), tex(line.name), tex(line.analyte.specimen), `${tex(line.value)}${line.flag === null ? '' : ` \\textbf{${tex(line.flag)}}`}`, tex(line.unit), tex(line.range.text)])} \\hline`;
      }),
    ]);
    return texDocument({
      options: '9pt,a4paper',
      margins: 'margin=1.6cm',
      body: `\\begin{center}{\\Large\\bfseries ${tex(report.lab('Kaveri Institute of Medical Sciences'))}}\\\\ Central Diagnostic Laboratory, ${tex(report.note('Ring Road, Mysuru Extension 570999'))}\\end{center}
\\begin{tabular}{|p{8.4cm}|p{8.4cm}|}\\hline Name: \\textbf{${tex(report.name('F L'))}} & UHID: ${tex(report.note(report.random.digits(9)))} \\\\ \\hline Age/Gender: ${report.age()} Y/${report.sex('Male', 'Female')} & Ward/OPD: ${tex(report.note('OPD 14'))} \\\\ \\hline Sample Collected: ${tex(report.collected('DD-MM-YYYY HH:mm'))} & Report Date: ${tex(report.reported('DD-MM-YYYY HH:mm'))} \\\\ \\hline\\end{tabular}\\par\\medskip
\\small\\begin{longtable}{|r|>{\\raggedright\\arraybackslash}p{5cm}|p{2.9cm}|p{3.2cm}|p{1.9cm}|p{2.4cm}|}\\hline S.No. & Test & Specimen & Result & Unit & Biological Ref. Interval \\\\ \\hline\\endhead ${rows.join('\n')}\\end{longtable}
\\textit{Verified by: Dr. N. Bhaskaran} \\hfill *** End of report ***`,
    });
  },
};

/** A thyroid and diabetes clinic: few tests, each with a method line and an interpretation table that is no result. */
export const diabetesClinic: Layout = {
  id: 'in-diabetes-clinic',
  country: 'in',
  engine: 'latex',
  about: 'diabetes clinic; few tests; "Method:" lines between rows; tables of interpretation and ranges by trimester below',
  style: {
    quantities: ['india', 'conventional'],
    unit: units({ micro: 'µ' }),
    range: (limits) => span(limits, ' - ', { below: '< ', above: '> ', atMost: '<= ', atLeast: '>= ' }),
    flag: letters('High', 'Low', { abnormal: 'Abnormal' }),
    notMeasured: ['Sample insufficient'],
  },
  print(report) {
    const block = (title: string, panel: Parameters<typeof report.section>[1]) =>
      `\\bigskip\\centerline{\\textbf{\\underline{${tex(title)}}}}\\par\\smallskip\\noindent\\begin{tabular}{p{5.8cm}rp{1.2cm}p{2.2cm}p{3.2cm}}\\textbf{Test} & \\textbf{Result} & & \\textbf{Unit} & \\textbf{Bio. Ref. Range}\\\\ \\hline ${report
        .section(title, panel)
        .map(
          (line) =>
            `${texRow([tex(line.name), `\\textbf{${tex(line.value)}}`, tex(line.flag), tex(line.unit), tex(line.range.text)])}${line.analyte.method === null ? '' : ` \\multicolumn{5}{l}{\\scriptsize Method: ${tex(line.analyte.method)}}\\\\`}`,
        )
        .join('\n')}\\end{tabular}\\par`;
    const table = [
      ['Non diabetic', '4.0 - 5.6'],
      ['Pre-diabetes', '5.7 - 6.4'],
      ['Diabetes', '>= 6.5'],
      ['Good control', '6.0 - 7.0'],
    ];
    const trimesters = [
      ['First trimester', '0.100 - 2.500'],
      ['Second trimester', '0.200 - 3.000'],
      ['Third trimester', '0.300 - 3.000'],
    ];
    for (const [name, range] of [...table, ...trimesters]) report.note(`${name} ${range}`);
    const small = (rows: string[][], head: string) =>
      `\\par\\medskip{\\footnotesize\\begin{tabular}{|l|l|}\\hline ${head} \\\\ \\hline ${rows.map((row) => texRow(row.map(tex))).join(' ')} \\hline\\end{tabular}}\\par`;
    return texDocument({
      options: '10pt,a4paper',
      font: 'mathptmx',
      body: `{\\Large\\bfseries ${tex(report.lab('Swasthya Diabetes & Thyroid Clinic'))}}\\par\\rule{\\linewidth}{1pt}
\\begin{tabular}{ll@{\\hspace{2.5cm}}ll}Patient & : ${tex(report.name('TITLE F L'))} & Age & : ${report.age()} Years \\\\ Gender & : ${report.sex('Male', 'Female')} & Bill No. & : ${tex(report.note(report.random.digits(6)))} \\\\ Collected On & : ${tex(report.collected('DD/MM/YYYY hh:mm A'))} & Reported On & : ${tex(report.reported('DD/MM/YYYY hh:mm A'))}\\end{tabular}\\par\\rule{\\linewidth}{0.4pt}
${block('GLYCATED HAEMOGLOBIN', ['a1c', 'eag', 'glucose'])}${small(table, 'Interpretation & HbA1c (\\%)')}${block('THYROID FUNCTION TEST', ['t3', 't4', 'tsh'])}${small(trimesters, 'Pregnancy & TSH (uIU/mL)')}${block('URINE MICROALBUMIN', 'urineAlbumin')}`,
    });
  },
};
