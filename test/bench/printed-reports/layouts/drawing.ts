type Item =
  | { kind: 'text'; x: number; y: number; text: string; font?: string; size?: number; align?: 'left' | 'right' | 'centre'; colour?: string }
  | { kind: 'line'; x: number; y: number; x2: number; y2: number; width?: number }
  | { kind: 'box'; x: number; y: number; w: number; h: number; fill?: string; width?: number };

export interface TextOptions {
  font?: string;
  size?: number;
  align?: 'left' | 'right' | 'centre';
  colour?: string;
}

export const letter: [number, number] = [612, 792];
export const a4: [number, number] = [595, 842];

/** Pages on which every text is placed by itself, from the top left, in points. */
export class Drawing {
  readonly #size: [number, number];
  readonly #pages: Item[][] = [];
  readonly #start: (drawing: Drawing, page: number) => number;
  readonly #end: number;
  y = 0;

  /** `start` draws what stands at the top of each page and answers where its lines begin. */
  constructor(size: [number, number], start: (drawing: Drawing, page: number) => number, bottom = 60) {
    this.#size = size;
    this.#start = start;
    this.#end = size[1] - bottom;
    this.page();
  }

  page(): void {
    this.#pages.push([]);
    this.y = this.#start(this, this.#pages.length);
  }

  /** Moves down; to a new page where fewer than `keep` points are left. */
  down(step: number, keep = 0): void {
    this.y += step;
    if (this.y + keep > this.#end) this.page();
  }

  text(x: number, text: string | null, options: TextOptions = {}, y = this.y): void {
    if (text !== null && text !== '') this.#pages.at(-1)?.push({ kind: 'text', x, y, text, ...options });
  }

  line(x: number, x2: number, y = this.y, width = 0.5): void {
    this.#pages.at(-1)?.push({ kind: 'line', x, y, x2, y2: y, width });
  }

  upright(x: number, y: number, y2: number): void {
    this.#pages.at(-1)?.push({ kind: 'line', x, y, x2: x, y2 });
  }

  box(x: number, y: number, w: number, h: number, fill?: string): void {
    this.#pages.at(-1)?.push({ kind: 'box', x, y, w, h, ...(fill === undefined ? {} : { fill }) });
  }

  write(): string {
    return JSON.stringify({ size: this.#size, pages: this.#pages });
  }
}
