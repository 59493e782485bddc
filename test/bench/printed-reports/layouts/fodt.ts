/** Cells of an office document: a text, or a text with the name of a paragraph style. */
export type Cell = string | null | undefined | { text: string | null; style: string };

export interface TableOptions {
  /** Widths in centimetres. */
  widths: readonly number[];
  borders?: 'all' | 'rows' | 'none';
  /** Rows that are repeated on each page. */
  heads?: number;
}

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Line breaks and runs of blanks are kept. */
export function paragraph(text: string | null, style = 'Cell'): string {
  const inner = xml(text ?? '')
    .replaceAll('\n', '<text:line-break/>')
    .replace(/ {2,}/g, (blanks) => `<text:s text:c="${blanks.length}"/>`)
    .replaceAll('\t', '<text:tab/>');
  return `<text:p text:style-name="${style}">${inner}</text:p>`;
}

const borders = {
  all: 'fo:border="0.5pt solid #000000"',
  rows: 'fo:border="none" fo:border-bottom="0.5pt solid #999999"',
  none: 'fo:border="none"',
};

/** Makes one document; each table gets styles of its own. */
export class OfficeDocument {
  readonly #styles: string[] = [];
  readonly #body: string[] = [];
  #tables = 0;

  add(text: string | null, style = 'Cell'): this {
    this.#body.push(paragraph(text, style));
    return this;
  }

  table(options: TableOptions, rows: readonly (readonly Cell[])[]): this {
    const name = `T${++this.#tables}`;
    const width = options.widths.reduce((sum, part) => sum + part, 0);
    this.#styles.push(
      `<style:style style:name="${name}" style:family="table"><style:table-properties style:width="${width}cm" table:align="left"/></style:style>`,
      `<style:style style:name="${name}c" style:family="table-cell"><style:table-cell-properties fo:padding="0.05cm" ${borders[options.borders ?? 'all']}/></style:style>`,
      ...options.widths.map(
        (part, index) =>
          `<style:style style:name="${name}w${index}" style:family="table-column"><style:table-column-properties style:column-width="${part}cm"/></style:style>`,
      ),
    );
    const cells = (row: readonly Cell[]) => {
      const spans = row.length < options.widths.length;
      return row.map((cell, index) => {
        const [text, style] = typeof cell === 'object' && cell !== null ? [cell.text, cell.style] : [cell ?? null, 'Cell'];
        const span = spans && index === row.length - 1 ? options.widths.length - row.length + 1 : 1;
        return `<table:table-cell table:style-name="${name}c" office:value-type="string"${span > 1 ? ` table:number-columns-spanned="${span}"` : ''}>${paragraph(text, style)}</table:table-cell>`;
      });
    };
    const written = rows.map((row) => `<table:table-row>${cells(row).join('')}</table:table-row>`);
    const heads = written.splice(0, options.heads ?? 0);
    this.#body.push(
      `<table:table table:name="${name}" table:style-name="${name}">${options.widths.map((_, index) => `<table:table-column table:style-name="${name}w${index}"/>`).join('')}${heads.length > 0 ? `<table:table-header-rows>${heads.join('')}</table:table-header-rows>` : ''}${written.join('')}</table:table>`,
    );
    return this;
  }

  write(page: { font: string; size: number; header?: string; footer?: string; paper?: 'letter' | 'a4'; accent?: string }): string {
    const { font, size, accent = '#000000' } = page;
    const style = (name: string, text: string, paragraphs = '', larger = 0) =>
      `<style:style style:name="${name}" style:family="paragraph"><style:paragraph-properties fo:margin-top="0cm" fo:margin-bottom="0cm" ${paragraphs}/><style:text-properties fo:font-family="${font}" fo:font-size="${size + larger}pt" ${text}/></style:style>`;
    const [width, height] = page.paper === 'letter' ? ['21.59cm', '27.94cm'] : ['21cm', '29.7cm'];
    const strip = (name: 'header' | 'footer', text: string | undefined) =>
      text === undefined
        ? ''
        : `<style:${name}>${paragraph(text, 'Small').replace('#PAGES', '<text:page-count/>').replace('#PAGE', '<text:page-number/>')}</style:${name}>`;
    const bold = 'fo:font-weight="bold"';
    return `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text"><office:styles>${style('Cell', '')}${style('Bold', bold)}${style('Red', `${bold} fo:color="#c00000"`)}${style('Right', '', 'fo:text-align="end"')}${style('Centre', '', 'fo:text-align="center"')}${style('CentreBold', bold, 'fo:text-align="center"')}${style('Title', `${bold} fo:color="${accent}"`, 'fo:text-align="center"', 6)}${style('Head', `${bold} fo:color="${accent}"`, '', 1)}${style('Section', `${bold} style:text-underline-style="solid"`)}${style('Small', '', '', -2)}${style('Italic', 'fo:font-style="italic"')}</office:styles><office:automatic-styles>${this.#styles.join('')}<style:page-layout style:name="P"><style:page-layout-properties fo:page-width="${width}" fo:page-height="${height}" fo:margin="1.6cm"/><style:header-style/><style:footer-style/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="Standard" style:page-layout-name="P">${strip('header', page.header)}${strip('footer', page.footer)}</style:master-page></office:master-styles><office:body><office:text>${this.#body.join('')}</office:text></office:body></office:document>`;
  }
}
