import PdfDocument from 'pdfkit';

export type Face = 'sans' | 'serif' | 'mono';
export interface TextOptions {
  readonly bold?: boolean;
  readonly size?: number;
  readonly align?: 'left' | 'right' | 'center';
  readonly grey?: boolean;
}

const fonts = {
  sans: ['Helvetica', 'Helvetica-Bold'],
  serif: ['Times-Roman', 'Times-Bold'],
  mono: ['Courier', 'Courier-Bold'],
} as const;

/** Pages of Letter paper with a print position, counted from the top in points. */
export class Sheet {
  readonly width = 612;
  y = 0;
  pages = 0;
  readonly #doc: PDFKit.PDFDocument;
  readonly #done: Promise<Buffer>;
  readonly #face: Face;
  readonly #top: (sheet: Sheet) => void;
  readonly #bottom: number;

  /** `top` prints the head of every page and sets `y`; `foot` is the space to leave free at the bottom. */
  constructor(face: Face, top: (sheet: Sheet) => void, foot = 60) {
    this.#face = face;
    this.#top = top;
    this.#bottom = 792 - foot;
    // A fixed date keeps the bytes identical for the same seed.
    this.#doc = new PdfDocument({ size: 'LETTER', margin: 0, autoFirstPage: false, info: { CreationDate: new Date(0) } });
    this.#done = new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      this.#doc.on('data', (part: Buffer) => parts.push(part));
      this.#doc.on('end', () => resolve(Buffer.concat(parts)));
      this.#doc.on('error', reject);
    });
    this.newPage();
  }

  newPage(): void {
    this.#doc.addPage();
    this.pages += 1;
    this.y = 36;
    this.#top(this);
  }

  /** Starts a new page when less than `height` is left; returns whether it did. */
  need(height: number): boolean {
    if (this.y + height <= this.#bottom) return false;
    this.newPage();
    return true;
  }

  /** Prints a line of text at `x`; `align` determines which edge of the text `x` is. */
  put(x: number, text: string, { bold = false, size = 9, align = 'left', grey = false }: TextOptions = {}, y = this.y): number {
    if (text === '') return x;
    this.#doc
      .font(fonts[this.#face][bold ? 1 : 0])
      .fontSize(size)
      .fillColor(grey ? '#555555' : '#000000');
    const width = this.#doc.widthOfString(text);
    const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
    this.#doc.text(text, left, y, { lineBreak: false });
    return left + width;
  }

  /** The words of `text`, wrapped to a column of this width. */
  wrap(text: string, width: number, { bold = false, size = 9 }: TextOptions = {}): string[] {
    this.#doc.font(fonts[this.#face][bold ? 1 : 0]).fontSize(size);
    const lines: string[] = [];
    for (const word of text.split(' ')) {
      const joined = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
      if (lines.length > 0 && this.#doc.widthOfString(joined) <= width) lines[lines.length - 1] = joined;
      else lines.push(word);
    }
    return lines;
  }

  rule(from: number, to: number, y = this.y): void {
    this.#doc.moveTo(from, y).lineTo(to, y).lineWidth(0.6).strokeColor('#333333').stroke();
  }

  box(x: number, y: number, width: number, height: number, fill?: string): void {
    if (fill) this.#doc.rect(x, y, width, height).fill(fill);
    else this.#doc.rect(x, y, width, height).lineWidth(0.5).strokeColor('#666666').stroke();
  }

  /** The file, and how many pages it has. */
  async end(): Promise<{ pdf: Buffer; pages: number }> {
    this.#doc.end();
    return { pdf: await this.#done, pages: this.pages };
  }
}
