const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function esc(text: string | null | undefined): string {
  return (text ?? '').replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

/** A template in which all inserted strings are escaped, except those made by `html` itself or by `raw`. */
export function html(strings: TemplateStringsArray, ...parts: readonly (Markup | Markup[] | string | number | null | undefined)[]): Markup {
  const write = (part: Markup | Markup[] | string | number | null | undefined): string => {
    if (Array.isArray(part)) return part.map(({ markup }) => markup).join('');
    if (typeof part === 'object' && part !== null) return part.markup;
    return esc(String(part ?? ''));
  };
  return { markup: strings.map((text, index) => (index === 0 ? text : `${write(parts[index - 1])}${text}`)).join('') };
}

export interface Markup {
  markup: string;
}

export const raw = (markup: string): Markup => ({ markup });

/** Exponents as raised small figures instead of characters of their own. */
export function raised(text: string | null): Markup {
  return raw(
    esc(text)
      .replace(
        /10(²|³|⁶|⁹|¹²)/g,
        (_, sign: string) => `10<sup>${{ '²': '2', '³': '3', '⁶': '6', '⁹': '9', '¹²': '12' }[sign] ?? sign}</sup>`,
      )
      .replace('m²', 'm<sup>2</sup>'),
  );
}

export function htmlPage(css: string, body: Markup, parts: { footer?: Markup; header?: Markup } = {}): string {
  const footer = parts.footer === undefined ? '' : `<footer-of-pages>${parts.footer.markup}</footer-of-pages>`;
  const header = parts.header === undefined ? '' : `<header-of-pages>${parts.header.markup}</header-of-pages>`;
  return `<!doctype html><meta charset="utf-8"><style>*{box-sizing:border-box}body{margin:0}table{border-collapse:collapse}${css}</style>${header}<body>${body.markup}</body>${footer}`;
}
