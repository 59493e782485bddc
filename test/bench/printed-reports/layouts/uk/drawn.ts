import { letters, span, units } from '../../report/style.ts';
import { a4, Drawing } from '../drawing.ts';
import type { Layout } from '../layout.ts';

/** A kit for blood from the finger, by post: each test with a sentence that explains it, the range right of the value. */
export const homeKit: Layout = {
  id: 'uk-home-kit',
  country: 'uk',
  engine: 'reportlab',
  about: 'test kit by post; drawn; name in bold, value and unit right of it, "Range:" below; explaining sentences between rows',
  style: {
    quantities: ['si', 'conventional'],
    nameVariant: 1,
    unit: units({}),
    range: (limits) => span(limits, ' - ', { below: '< ', above: '> ', atMost: '<= ', atLeast: '>= ' }),
    flag: letters('High', 'Low', { inside: 'Normal', abnormal: 'Abnormal' }),
    unitWithoutValue: false,
    notMeasured: ['Unable to test'],
  },
  print(report) {
    const lab = report.lab('Pebble & Fern Health Tests');
    const drawing = new Drawing(a4, (page, index) => {
      page.text(50, lab, { font: 'Times-Bold', size: 16, colour: '#1b6b57' }, 50);
      page.text(545, `${index}`, { align: 'right' }, 50);
      page.line(50, 545, 58);
      return 80;
    });
    const sentences = [
      'Made by the body and found in many foods.',
      'Levels can change within 24 hours of exercise.',
      'About 1 in 5 people have a result outside the range.',
      'Important for energy and for nerves.',
    ];
    drawing.text(50, `Name: ${report.name('F L')}`, { font: 'Times-Bold' });
    drawing.text(300, `Date of birth: ${report.dob('DD/MM/YYYY')}     Sex: ${report.sex('Male', 'Female')}`, { font: 'Times-Roman' });
    drawing.down(14);
    drawing.text(
      50,
      `Sample taken: ${report.collected('DD/MM/YYYY')}     Results: ${report.reported('DD/MM/YYYY')}     ${report.note(`Kit ${report.random.digits(7)}`)}`,
      { font: 'Times-Roman' },
    );
    drawing.down(24);
    for (const [title, panel] of [
      ['Heart health', ['cholesterol', 'ldl', 'hdl', 'triglycerides', 'nonHdl']],
      ['Diabetes', ['a1cIfcc']],
      ['Thyroid hormones', ['tsh', 'ft4', 'ft3']],
      ['Iron', ['ferritin', 'iron', 'ironSaturation']],
      ['Vitamins', ['vitaminD', 'b12', 'folate']],
      ['Inflammation', ['hscrp']],
    ] as const) {
      drawing.down(2, 60);
      drawing.box(50, drawing.y - 12, 495, 17, '#dcefe9');
      drawing.text(56, title, { font: 'Times-Bold', size: 12 });
      drawing.down(22);
      for (const line of report.section(title, panel)) {
        drawing.text(56, line.name, { font: 'Times-Bold', size: 11 });
        drawing.text(330, `${line.value}${line.unit === null || line.notMeasured ? '' : ` ${line.unit}`}`, {
          font: 'Times-Bold',
          size: 11,
        });
        drawing.text(470, line.flag, { font: 'Times-Roman', size: 11, colour: line.side === 'inside' ? '#1b6b57' : '#b03a2e' });
        drawing.down(12);
        drawing.text(330, line.range.text === null ? null : `Range: ${line.range.text}`, { font: 'Times-Roman', size: 8.5 });
        drawing.text(56, report.note(report.random.pick(sentences)), { font: 'Times-Italic', size: 8.5 });
        drawing.down(20, 34);
      }
    }
    return drawing.write();
  },
};
