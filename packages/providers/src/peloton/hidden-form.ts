/** A form that a page submits by itself. */
export interface HiddenForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

const entities: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" };

function decode(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (whole, decimal: string, hex: string, name: string) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The value of an attribute in either kind of quotes. */
function attributeOf(tag: string, name: string): string | null {
  const match = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag);
  return match === null ? null : decode(match[1] ?? match[2] ?? '');
}

/** The form of a page; null when it has none. */
export function readHiddenForm(page: string): HiddenForm | null {
  const form = /<form\b[^>]*>/i.exec(page)?.[0];
  if (form === undefined) return null;
  const inputs = page.match(/<input\b[^>]*>/gi) ?? [];
  const fields = inputs.flatMap((tag) => {
    const name = attributeOf(tag, 'name');
    return name === null ? [] : [[name, attributeOf(tag, 'value') ?? ''] as const];
  });
  return { action: attributeOf(form, 'action') ?? '', fields: Object.fromEntries(fields) };
}
