import { letters, span, typeset, units } from '../../report/style.ts';
import { html, htmlPage } from '../html.ts';
import type { Layout } from '../layout.ts';

/** The printout of a hospital's patient portal: one table for each test, unit behind the value and behind the range. */
export const hospitalPortal: Layout = {
  id: 'us-hospital-portal',
  country: 'us',
  engine: 'chromium',
  about: 'patient portal of a hospital; columns Component, Your Value, Standard Range, Flag; units behind values and ranges',
  style: {
    nameVariant: 1,
    unit: units({ words: { '10*3/uL': 'K/uL', '10*6/uL': 'M/uL', 'mL/min/1.73m2': 'mL/min/1.73 m2' } }),
    range: (limits) => span(limits, ' - ', typeset),
    flag: letters('High', 'Low', { abnormal: 'Abnormal' }),
    notMeasured: ['Hemolyzed - not reported', 'Not calculated'],
  },
  print(report) {
    const tests = [
      { title: 'COMPREHENSIVE METABOLIC PANEL', lines: report.section('COMPREHENSIVE METABOLIC PANEL', 'metabolic') },
      { title: 'CBC AND DIFFERENTIAL', lines: report.section('CBC AND DIFFERENTIAL', 'countAbsolute') },
      { title: 'LIPID PANEL', lines: report.section('LIPID PANEL', ['cholesterol', 'triglycerides', 'hdl', 'ldlCalc', 'nonHdl']) },
    ];
    const collected = report.collected('Mon D, YYYY h:mm A');
    return htmlPage(
      `@page{size:Letter;margin:12mm}body{font:11px 'DejaVu Sans'}h1{font-size:15px;color:#0a4d68}h2{font-size:12px;margin:14px 0 2px}table{width:100%;border-top:1px solid #bbb}th{font-size:9px;text-align:left;color:#555;padding:4px}td{padding:4px;border-top:1px solid #e4e4e4;font-size:10px}.s{font-size:9px;color:#555}.b{display:flex;justify-content:space-between;font-size:10px}`,
      html`<div class="b">
          <span
            ><b>Name:</b> ${report.name('F L')} | <b>DOB:</b> ${report.dob('M/D/YYYY')} | ${report.note(`MRN: ${report.random.digits(7)}`)}
            | <b>PCP:</b> ${report.patient.doctor} | <b>Legal sex:</b> ${report.sex('Male', 'Female')}</span
          >
        </div>
        <h1>Test Results</h1>
        ${tests.map(
          ({ title, lines }) =>
            html`<h2>${title} - Final result <span class="s">(${collected})</span></h2>
              <table>
                <thead>
                  <tr>
                    <th style="width:34%">Component</th>
                    <th>Your Value</th>
                    <th>Standard Range</th>
                    <th>Flag</th>
                  </tr>
                </thead>
                <tbody>
                  ${lines.map(
                    (line) =>
                      html`<tr>
                        <td>${line.name}</td>
                        <td>${line.value} ${line.notMeasured ? '' : line.unit}</td>
                        <td>${line.range.text}${line.range.text === null || line.unit === null ? '' : ` ${line.unit}`}</td>
                        <td>${line.flag}</td>
                      </tr>`,
                  )}
                </tbody>
              </table>`,
        )}
        <h2>General Information</h2>
        <p class="s">
          Collected: ${collected} &emsp; Resulted: ${report.reported('Mon D, YYYY h:mm A')} &emsp; Ordered by: ${report.patient.doctor}<br />Resulting
          Agency: ${report.lab('Tidewater Memorial Hospital Laboratory')}<br />Result Status: Final result. This test result has been
          released by an automatic process.
        </p>
        <p class="s">${report.note('MyTidewater® licensed from Wellspring Systems © 1999 - 2025')}</p>`,
      {
        footer: html`<div style="font:8px Arial;width:100%;text-align:right;padding:0 12mm">
          Page <span class="pageNumber"></span> of <span class="totalPages"></span>
        </div>`,
      },
    );
  },
};
