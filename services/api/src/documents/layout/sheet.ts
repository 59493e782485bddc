import { PDFDocument, rgb, StandardFonts, type Color, type PDFFont, type PDFPage } from '@cantoo/pdf-lib';
import { barCode } from './bar-code.ts';
import { drawable, wrap } from './text.ts';

const [width, height] = [612, 792];
const margin = 48;
const inner = width - 2 * margin;
const footer = 60;
const pictureHeight = 48;
const ink = rgb(0.1, 0.12, 0.15);
const faint = rgb(0.42, 0.45, 0.5);
const line = rgb(0.8, 0.82, 0.85);
const warning = rgb(0.72, 0.11, 0.11);

export interface Column {
  readonly title: string;
  /** Of the width of the page. */
  readonly share: number;
}

interface TextStyle {
  readonly size?: number;
  readonly isBold?: boolean;
  readonly color?: Color;
}

export interface SheetOptions {
  readonly title: string;
  /** Written to the metadata, so that the same content produces the same file. */
  readonly at: Date;
  /** At the foot of every page, beside its number. */
  readonly footer: string;
  /** For an order of a sandbox team: marks every page, so that none is mistaken for a real one. */
  readonly isSimulated: boolean;
}

/** A document of Letter-size pages, written from top to bottom. */
export class Sheet {
  readonly #document: PDFDocument;
  readonly #options: SheetOptions;
  readonly #fonts: { readonly plain: PDFFont; readonly bold: PDFFont };
  readonly #known: ReadonlySet<number>;
  #page: PDFPage;
  #y = 0;

  static async create(options: SheetOptions): Promise<Sheet> {
    const document = await PDFDocument.create({ updateMetadata: false });
    document.setTitle(options.title);
    document.setProducer('Pulsewire');
    document.setCreationDate(options.at);
    document.setModificationDate(options.at);
    const plain = await document.embedFont(StandardFonts.Helvetica);
    const bold = await document.embedFont(StandardFonts.HelveticaBold);
    const sheet = new Sheet(document, options, { plain, bold });
    sheet.text(options.title, { size: 18, isBold: true });
    if (options.isSimulated) sheet.text('SIMULATED. Not for medical use.', { color: warning, isBold: true });
    return sheet;
  }

  private constructor(document: PDFDocument, options: SheetOptions, fonts: { readonly plain: PDFFont; readonly bold: PDFFont }) {
    this.#document = document;
    this.#options = options;
    this.#fonts = fonts;
    this.#known = new Set(fonts.plain.getCharacterSet());
    this.#page = this.#nextPage();
  }

  #nextPage(): PDFPage {
    this.#page = this.#document.addPage([width, height]);
    this.#y = height - margin;
    return this.#page;
  }

  #reserve(space: number): void {
    if (this.#y - space < footer) this.#nextPage();
  }

  #draw(text: string, x: number, y: number, { size = 10, isBold = false, color = ink }: TextStyle): void {
    this.#page.drawText(text, { x, y, size, color, font: isBold ? this.#fonts.bold : this.#fonts.plain });
  }

  #lines(text: string, { size = 10, isBold = false }: TextStyle, space: number): readonly string[] {
    return wrap(drawable(text, this.#known), isBold ? this.#fonts.bold : this.#fonts.plain, size, space);
  }

  /** Cells side by side; the row is as high as its highest cell. */
  #row(cells: readonly { readonly x: number; readonly space: number; readonly text: string }[], style: TextStyle): void {
    const { size = 10 } = style;
    const wrapped = cells.map(({ text, space }) => this.#lines(text, style, space));
    const step = size * 1.3;
    for (let i = 0; wrapped.some((one) => i < one.length); i++) {
      this.#reserve(step);
      this.#y -= step;
      for (const [at, { x }] of cells.entries()) this.#draw(wrapped[at]?.[i] ?? '', x, this.#y, style);
    }
  }

  text(text: string, style: TextStyle = {}): this {
    for (const part of text.split('\n')) this.#row([{ x: margin, space: inner, text: part }], style);
    this.#y -= 4;
    return this;
  }

  /** A JPEG or PNG at the height of a signature; omitted when it is damaged. */
  async picture({ contentType, content }: { readonly contentType: string; readonly content: Uint8Array }): Promise<this> {
    try {
      const image = contentType === 'image/png' ? await this.#document.embedPng(content) : await this.#document.embedJpg(content);
      const { width: w, height: h } = image.scaleToFit(inner / 2, pictureHeight);
      this.#reserve(h + 8);
      this.#y -= h;
      this.#page.drawImage(image, { x: margin, y: this.#y, width: w, height: h });
      this.#y -= 8;
    } catch {
      this.text('(The image cannot be shown.)', { color: faint });
    }
    return this;
  }

  heading(text: string): this {
    this.#reserve(60);
    this.#y -= 10;
    this.text(text, { size: 12, isBold: true });
    this.#page.drawLine({ start: { x: margin, y: this.#y }, end: { x: width - margin, y: this.#y }, thickness: 0.7, color: line });
    this.#y -= 4;
    return this;
  }

  /** Names with values, two per row; those without a value are omitted. */
  fields(pairs: readonly (readonly [name: string, value: string | null])[]): this {
    const given = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== null && pair[1] !== '');
    const half = inner / 2;
    for (let i = 0; i < given.length; i += 2) {
      const pair = given
        .slice(i, i + 2)
        .map(([name, value], at) => ({ x: margin + at * half, space: half - 12, text: `${name}: ${value}` }));
      this.#row(pair, {});
    }
    this.#y -= 4;
    return this;
  }

  table(columns: readonly Column[], rows: readonly (readonly string[])[]): this {
    const places = columns.map(({ share }, at) => {
      const before = columns.slice(0, at).reduce((sum, column) => sum + column.share, 0);
      return { x: margin + before * inner, space: share * inner - 8 };
    });
    const cellsOf = (texts: readonly string[]) => places.map((place, at) => ({ ...place, text: texts[at] ?? '' }));
    this.#row(cellsOf(columns.map(({ title }) => title)), { isBold: true, size: 9 });
    for (const row of rows) {
      this.#y -= 3;
      this.#row(cellsOf(row), { size: 9 });
    }
    this.#y -= 6;
    return this;
  }

  barCode(text: string, { height: barHeight = 30, x = margin }: { readonly height?: number; readonly x?: number } = {}): this {
    this.#reserve(barHeight + 20);
    this.#y -= barHeight;
    for (const bar of barCode(text).bars)
      this.#page.drawRectangle({ x: x + bar.x, y: this.#y, width: bar.width, height: barHeight, color: ink });
    this.text(text, { size: 8 });
    return this;
  }

  /** The finished file. */
  async save(): Promise<Uint8Array> {
    const pages = this.#document.getPages();
    const style = { size: 8, color: faint };
    for (const [at, page] of pages.entries()) {
      this.#page = page;
      this.#draw(drawable(this.#options.footer, this.#known), margin, 32, style);
      this.#draw(`Page ${at + 1} of ${pages.length}`, width - margin - 50, 32, style);
      if (this.#options.isSimulated) this.#draw('SIMULATED', width / 2 - 20, 32, { ...style, color: warning });
    }
    return this.#document.save();
  }
}
