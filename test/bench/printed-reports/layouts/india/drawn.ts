import { letters, span, thousands, thousandsOf, units } from '../../report/style.ts';
import { a4, Drawing } from '../drawing.ts';
import type { Layout } from '../layout.ts';
import type { Report } from '../../report/report.ts';

const bold = { font: 'Helvetica-Bold' };

function heading(report: Report, lab: string, address: string): (page: Drawing, index: number) => number {
  const left = [
    `Name : ${report.name('TITLE FIRST LAST')}`,
    `Age/Gender : ${report.age()} Y/${report.sex('Male', 'Female')}`,
    `Ref Doctor : ${report.patient.doctor}`,
  ];
  const right = [
    `Collected : ${report.collected('DD/Mon/YYYY hh:mmA')}`,
    `Reported : ${report.reported('DD/Mon/YYYY hh:mmA')}`,
    report.note(`Visit ID : ${report.random.digits(8)}`),
  ];
  report.note(address);
  return (page, index) => {
    page.text(40, report.lab(lab), { ...bold, size: 15 }, 40);
    page.text(40, address, { size: 7.5 }, 52);
    page.box(40, 60, 515, 50);
    left.forEach((text, at) => page.text(46, text, at === 0 ? bold : {}, 74 + at * 15));
    right.forEach((text, at) => page.text(320, text, {}, 74 + at * 15));
    page.text(555, `Page ${index}`, { size: 7, align: 'right' }, 820);
    return 130;
  };
}

/** A metropolitan chain: values in a column for what is inside and another for what is outside the range. */
export const metroChain: Layout = {
  id: 'in-metro-chain',
  country: 'in',
  engine: 'reportlab',
  about:
    'metropolitan chain; drawn; columns Investigation, Observed Value, Unit, Biological Reference Interval; method in italics below; H/L before values',
  style: {
    quantities: ['india', 'conventional'],
    unit: units({ power: 'x10^', words: { '10*6/uL': 'mill/cu.mm', '/cumm': 'cells/cu.mm' } }),
    value: thousands,
    range: (limits) => span(thousandsOf(limits), ' - ', { below: '< ', above: '> ', atMost: '<= ', atLeast: '>= ' }),
    flag: letters('H', 'L', { abnormal: 'A' }),
    notMeasured: ['SNP', 'Sample Haemolysed'],
  },
  print(report) {
    const drawing = new Drawing(
      a4,
      heading(report, 'Konark Metro Diagnostics', 'Processing Location: Plot 77, MIDC Phase 2, Mumbai 400999'),
    );
    const head = () => {
      drawing.text(40, 'Investigation', bold);
      drawing.text(250, 'Observed Value', bold);
      drawing.text(350, 'Unit', bold);
      drawing.text(430, 'Biological Reference Interval', bold);
      drawing.line(40, 555, drawing.y + 4);
      drawing.down(18);
    };
    for (const [title, panel] of [
      ['CBC Haemogram', 'countIndia'],
      ['Kidney Function Test', 'renalIndia'],
      ['Lipid Profile', 'lipidIndia'],
    ] as const) {
      drawing.down(4, 90);
      drawing.text(297, title, { ...bold, size: 11, align: 'centre' });
      drawing.down(16);
      head();
      for (const line of report.section(title, panel)) {
        drawing.text(40, line.name);
        drawing.text(250, line.flag === null ? null : line.flag, bold);
        drawing.text(264, line.value, line.flag === null ? {} : bold);
        drawing.text(350, line.unit);
        drawing.text(430, line.range.text);
        drawing.down(9);
        drawing.text(44, line.analyte.method === null ? null : `(${line.analyte.method})`, { font: 'Helvetica-Oblique', size: 6.5 });
        drawing.down(13, 24);
      }
    }
    drawing.text(40, report.note('Sample processed within 4 hours. Reports older than 30 days are not discussed by telephone.'), {
      size: 7,
    });
    return drawing.write();
  },
};

/** A corporate hospital: names that wrap to a second line, the interval of both sexes over two lines. */
export const corporateHospital: Layout = {
  id: 'in-corporate-hospital',
  country: 'in',
  engine: 'reportlab',
  about: 'corporate hospital; drawn; long names continue on the next line; intervals of both sexes over two lines; no flags',
  style: {
    quantities: ['conventional', 'india'],
    name: (text, analyte) => long[analyte.key] ?? analyte.names.in[0] ?? text,
    unit: units({ micro: 'µ' }),
    range: (limits, sexes) =>
      sexes === null
        ? span(limits, ' - ', { below: '<', above: '>', atMost: '<=', atLeast: '>=' })
        : `Male: ${span(sexes.male, ' - ') ?? ''} / Female: ${span(sexes.female, ' - ') ?? ''}`,
    flag: () => null,
    notMeasured: ['Pending'],
  },
  print(report) {
    const drawing = new Drawing(a4, heading(report, 'Suvarna Hospitals', 'A unit of Suvarna Healthcare Ltd. CIN U85110KA1999PLC099999'));
    for (const [title, panel] of [
      [
        'BIOCHEMISTRY',
        ['glucose', 'a1c', 'urea', 'creatinine', 'egfr', 'urate', 'ast', 'alt', 'ggt', 'alp', 'albumin', 'vitaminD', 'b12', 'tsh'],
      ],
      ['HEMATOLOGY', ['hemoglobin', 'rbc', 'wbc', 'hematocrit', 'platelets', 'esr']],
    ] as const) {
      drawing.down(2, 80);
      drawing.box(40, drawing.y - 11, 515, 16, '#e3e3ef');
      drawing.text(297, `DEPARTMENT OF ${title}`, { ...bold, align: 'centre' });
      drawing.down(18);
      for (const line of report.section(title, panel)) {
        const words = line.name.split(' ');
        const cut = line.name.length > 30 ? Math.ceil(words.length / 2) : words.length;
        const [range = '', second = ''] = (line.range.text ?? '').split(' / ');
        drawing.text(40, words.slice(0, cut).join(' '));
        drawing.text(235, line.value, bold);
        drawing.text(310, line.unit);
        drawing.text(400, second === '' ? range : `${range} /`);
        drawing.down(10);
        drawing.text(40, words.slice(cut).join(' '));
        drawing.text(400, second);
        drawing.down(14, 26);
      }
    }
    drawing.down(10, 20);
    drawing.text(297, '*** End Of Report ***', { align: 'centre' });
    return drawing.write();
  },
};

const long: Record<string, string> = {
  glucose: 'Glucose, Fasting (NaF Plasma)',
  a1c: 'HbA1c, Glycated Hemoglobin by HPLC, Whole Blood EDTA',
  egfr: 'eGFR - Estimated Glomerular Filtration Rate (CKD-EPI 2021)',
  ast: 'Aspartate Aminotransferase (AST/SGOT), Serum',
  alt: 'Alanine Aminotransferase (ALT/SGPT), Serum',
  ggt: 'Gamma Glutamyl Transferase (GGT), Serum',
  vitaminD: '25-OH Vitamin D (Total), Serum by Chemiluminescence',
};

/** A collection centre: status as filled points, units in capitals, a summary of abnormal values before the tables. */
export const collectionCentre: Layout = {
  id: 'in-collection-centre',
  country: 'in',
  engine: 'reportlab',
  about: 'collection centre; drawn grid with upright rules; specimen line of each panel; values outside in bold; old PDF type',
  style: {
    quantities: ['india', 'conventional'],
    nameVariant: 1,
    unit: units({ words: { '10*6/uL': '10^6/cumm' } }),
    range: (limits) => span(limits, '-', { below: '<', above: '>', atMost: '<=', atLeast: '>=' }),
    flag: () => null,
    emphasis: 'bold',
    notMeasured: ['NA'],
  },
  print(report) {
    const drawing = new Drawing(
      a4,
      heading(report, 'Chinar Path Lab Collection Centre', 'Lal Mandi Chowk, Srinagar 190999 | Tel 0194-999999'),
    );
    for (const [title, panel, specimen] of [
      ['Complete Blood Count', 'countIndia', 'EDTA Blood'],
      ['Liver Function Test', 'liverIndia', 'Serum'],
      ['Thyroid Profile', 'thyroidIndia', 'Serum'],
    ] as const) {
      drawing.down(4, 120);
      drawing.text(40, `${title}    Specimen: ${specimen}`, { font: 'Courier-Bold', size: 10 });
      drawing.down(8);
      const lines = report.section(title, panel, { specimen });
      for (const line of [null, ...lines]) {
        drawing.box(40, drawing.y, 515, 15);
        for (const x of [240, 330, 425]) drawing.upright(x, drawing.y, drawing.y + 15);
        const font = { font: line === null || line.emphasis !== null ? 'Courier-Bold' : 'Courier', size: 8.5 };
        const cells =
          line === null ? ['Test Description', 'Result', 'Units', 'Reference Range'] : [line.name, line.value, line.unit, line.range.text];
        [44, 244, 334, 429].forEach((x, at) =>
          drawing.text(x, cells[at] ?? null, at === 1 || line === null ? font : { font: 'Courier', size: 8.5 }, drawing.y + 11),
        );
        drawing.down(15, 20);
      }
      drawing.down(8);
    }
    return drawing.write();
  },
};
