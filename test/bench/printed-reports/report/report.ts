import type { Analyte } from '../catalogue/analyte.ts';
import { find, panelOf, type Panel } from '../catalogue/all.ts';
import { sampleNumbers, type Numbers } from '../catalogue/sample.ts';
import { formatDate, isoOf } from './dates.ts';
import { measure, type Line } from './measure.ts';
import { makePatient, makeTimes, type Patient, type Times } from './people.ts';
import { Random } from './random.ts';
import { plainStyle, type Style } from './style.ts';
import type { Country, Person, Row } from './truth.ts';

/**
 * One report while it is laid out. Whatever a layout takes from it to print is written down as the truth at the same time, so that
 * the two cannot differ.
 */
export class Report {
  readonly random: Random;
  readonly patient: Patient;
  readonly times: Times;
  readonly country: Country;
  readonly person: Person = {
    name: null,
    firstName: null,
    lastName: null,
    dob: null,
    sex: null,
    labName: null,
    collected: null,
    reported: null,
    otherDate: null,
  };
  readonly #lines: Line[] = [];
  readonly #notes: string[] = [];
  readonly #style: Style;
  readonly #numbers: Numbers = new Map();
  #hasFailed: boolean;

  constructor(country: Country, seed: string, style: Partial<Style>) {
    this.country = country;
    this.random = new Random(seed);
    this.times = makeTimes(this.random);
    this.patient = makePatient(country, this.random, this.times.collected);
    this.#style = { ...plainStyle, ...style };
    // One result in half of the reports could not be measured.
    this.#hasFailed = this.random.chance(0.5);
  }

  /** `L, F`, `F L`, `LAST, FIRST`, `Mr. F L`: the first and last name in the order and case of the form. */
  name(form: string): string {
    const { firstName, lastName, male } = this.patient;
    const upper = form.includes('LAST');
    const [given, family] = upper ? [firstName.toUpperCase(), lastName.toUpperCase()] : [firstName, lastName];
    const title = this.country === 'uk' ? (male ? 'Mr' : 'Mrs') : male ? 'Mr.' : 'Mrs.';
    this.person.firstName = given;
    this.person.lastName = family;
    // The longer words first, and no letters of names replaced that came from a former replacement.
    const text = form.replace(/LAST|FIRST|TITLE|\bL\b|\bF\b/g, (word) => {
      if (word === 'TITLE') return title;
      return word.startsWith('L') ? family : given;
    });
    this.person.name = text;
    return text;
  }

  dob(form: string): string {
    this.person.dob = isoOf(this.patient.born, form);
    return formatDate(this.patient.born, form);
  }

  age(): string {
    return String(this.patient.age);
  }

  sex(male: string, female: string): string {
    this.person.sex = this.patient.male ? 'male' : 'female';
    return this.patient.male ? male : female;
  }

  lab(name: string): string {
    this.person.labName = name;
    return name;
  }

  collected(form: string): string {
    this.person.collected = isoOf(this.times.collected, form);
    return formatDate(this.times.collected, form);
  }

  received(form: string): string {
    return formatDate(this.times.received, form);
  }

  /** A date of which the report does not say what it is of: "Date", "Visit", or a letter's. */
  date(form: string, when: keyof Times = 'collected'): string {
    this.person.otherDate = isoOf(this.times[when], form);
    return formatDate(this.times[when], form);
  }

  reported(form: string): string {
    this.person.reported = isoOf(this.times.reported, form);
    return formatDate(this.times.reported, form);
  }

  /** A printed text that is no result; kept if a reader could take it for one. */
  note(text: string): string {
    if (/\d/.test(text)) this.#notes.push(text);
    return text;
  }

  /** The lines of a section, all of which the layout has to print, in this order. */
  section(
    title: string | null,
    panel: Panel | readonly string[],
    parts: { specimen?: string | null; style?: Partial<Style> } = {},
  ): Line[] {
    const analytes = typeof panel === 'string' ? panelOf(panel) : panel.map(find);
    return this.lines(title, analytes, parts);
  }

  lines(title: string | null, analytes: readonly Analyte[], parts: { specimen?: string | null; style?: Partial<Style> } = {}): Line[] {
    const fresh = analytes.filter((entry) => !this.#numbers.has(entry.key));
    for (const [key, number] of sampleNumbers(fresh, this.patient.male, this.random)) this.#numbers.set(key, number);
    const style = { ...this.#style, ...parts.style };
    const failing = this.#hasFailed && this.random.chance(0.4) ? this.random.pick(analytes).key : null;
    const printed = analytes.map((entry) => {
      const mayFail = entry.key === failing && entry.words === undefined;
      if (mayFail) this.#hasFailed = false;
      const line = measure(entry, this.#numbers.get(entry.key), this.patient, style, this.random, mayFail);
      line.section = title;
      line.specimen = parts.specimen ?? null;
      return line;
    });
    this.#lines.push(...printed);
    return printed;
  }

  truth(): { person: Person; rows: Row[]; notRows: string[] } {
    const rows = this.#lines.map(({ analyte: _, limits: __, side: ___, ...row }) => row);
    return { person: this.person, rows, notRows: [...new Set(this.#notes)] };
  }
}
