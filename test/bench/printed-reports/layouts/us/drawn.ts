import { letters, span, typeset, units } from '../../report/style.ts';
import { Drawing, letter } from '../drawing.ts';
import type { Layout } from '../layout.ts';

const bold = { font: 'Helvetica-Bold' };

/** An urgent care chain: zebra rows, values right aligned against their units. */
export const urgentCare: Layout = {
  id: 'us-urgent-care',
  country: 'us',
  engine: 'reportlab',
  about: 'urgent care; drawn cell by cell; zebra rows; value right aligned with unit beside it; "Abnormal High" in red',
  style: {
    nameVariant: 1,
    unit: units({ power: 'x10^' }),
    range: (limits) => span(limits, ' - '),
    flag: letters('Abnormal High', 'Abnormal Low', { criticalHigh: 'Critical High', criticalLow: 'Critical Low', abnormal: 'Abnormal' }),
    notMeasured: ['Hemolyzed', 'QNS'],
  },
  print(report) {
    const lab = report.lab('Riverbend Urgent Care Laboratory');
    const name = report.name('LAST, FIRST');
    const dob = report.dob('MM/DD/YYYY');
    const collected = report.collected('MM/DD/YYYY hh:mm A');
    const number = report.note(`MRN: ${report.random.digits(8)}`);
    const drawing = new Drawing(letter, (page, index) => {
      page.text(40, lab, { ...bold, size: 14, colour: '#7a1f3d' }, 45);
      page.text(572, `Page ${index}`, { align: 'right', size: 8 }, 45);
      page.text(40, `Patient: ${name}`, bold, 66);
      page.text(300, `DOB: ${dob}`, {}, 66);
      page.text(430, number, {}, 66);
      page.text(40, `Collected: ${collected}`, {}, 79);
      page.line(40, 572, 86, 1);
      return 100;
    });
    drawing.text(300, `Sex: ${report.sex('Male', 'Female')}`, {}, 79);
    drawing.text(430, `Reported: ${report.reported('MM/DD/YYYY')}`, {}, 79);
    for (const [title, panel] of [
      ['Comprehensive Metabolic Panel', 'metabolic'],
      ['CBC with Differential', 'countAbsolute'],
      ['Other', ['crp', 'tsh', 'a1c', 'ddimer']],
    ] as const) {
      drawing.down(6, 60);
      drawing.text(40, title, { ...bold, size: 11 });
      drawing.down(14);
      for (const [x, text, align] of [
        [46, 'Test', 'left'],
        [290, 'Result', 'right'],
        [296, 'Units', 'left'],
        [385, 'Range', 'left'],
        [480, 'Flag', 'left'],
      ] as const)
        drawing.text(x, text, { size: 8, align, colour: '#555555' });
      drawing.down(14);
      report.section(title, panel).forEach((line, index) => {
        if (index % 2 === 0) drawing.box(40, drawing.y - 10, 532, 14, '#f1ecee');
        const colour = line.flag === null ? '#000000' : '#c00000';
        drawing.text(46, line.name);
        drawing.text(290, line.value, { ...bold, align: 'right', colour });
        drawing.text(296, line.unit);
        drawing.text(385, line.range.text);
        drawing.text(480, line.flag, { colour, size: 8 });
        drawing.down(14, 14);
      });
    }
    drawing.down(10, 20);
    drawing.text(40, report.note('Call (555) 010-7788 with questions. Return to clinic if fever over 101.5 F.'), { size: 8 });
    return drawing.write();
  },
};

/** A specialty laboratory: limits and a drawn scale; the value stands above its scale. */
export const scaleReport: Layout = {
  id: 'us-scale-report',
  country: 'us',
  engine: 'reportlab',
  about: 'specialty laboratory; a drawn scale beside each value with its limits as numbers on it; unit in brackets after the name',
  style: {
    unit: units({ micro: 'µ' }),
    range: (limits) => span(limits, ' - ', typeset),
    flag: () => null,
    emphasis: 'position',
    notMeasured: ['n/a'],
  },
  print(report) {
    const lab = report.lab('Vantage Peak Laboratories');
    const name = report.name('F L');
    const drawing = new Drawing(
      letter,
      (page, index) => {
        page.box(0, 0, 612, 40, '#24415e');
        page.text(36, lab, { ...bold, size: 15, colour: '#ffffff' }, 26);
        page.text(576, `${name}  -  ${index}`, { align: 'right', colour: '#ffffff', size: 9 }, 26);
        return 66;
      },
      50,
    );
    drawing.text(
      36,
      `DOB ${report.dob('MM/DD/YYYY')}    Gender ${report.sex('Male', 'Female')}    Collected ${report.collected('MM/DD/YYYY')}    Completed ${report.reported('MM/DD/YYYY')}`,
    );
    drawing.down(20);
    for (const [title, panel] of [
      ['Cardiometabolic', ['cholesterol', 'hdl', 'triglycerides', 'ldlDirect', 'apob', 'lpa', 'hscrp', 'homocysteine']],
      ['Hormones', ['testosterone', 'shbg', 'estradiol', 'dheas', 'tsh', 'ft3', 'ft4', 'igf1']],
      ['Micronutrients', ['vitaminD', 'b12', 'ferritin', 'magnesium', 'zinc']],
    ] as const) {
      drawing.text(36, title, { ...bold, size: 12 });
      drawing.down(18, 40);
      for (const line of report.section(title, panel)) {
        drawing.text(36, `${line.name}${line.unit === null ? '' : ` (${line.unit})`}`);
        drawing.text(255, line.value, { ...bold, size: 11 });
        drawing.text(320, line.range.text);
        drawing.box(420, drawing.y - 6, 140, 5, '#d9d9d9');
        drawing.box(450, drawing.y - 6, 80, 5, '#6aa56a');
        const place = line.side === 'low' ? 430 : line.side === 'high' ? 545 : 490;
        if (!line.notMeasured) drawing.box(place, drawing.y - 9, 3, 11, '#24415e');
        drawing.down(19, 19);
      }
      drawing.down(8, 40);
    }
    drawing.text(36, report.note('Developed and validated by Vantage Peak, CLIA 05D9999999. Not cleared by the FDA.'), { size: 7 });
    return drawing.write();
  },
};
