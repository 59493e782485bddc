/** Removes ornaments around a title and the note that it is continued. */
export function cleanTitle(text: string): string {
  return text
    .replace(/\s*[([]?\b(?:continued|cont'?d)\b\.?[)\]]?\s*$/i, '')
    .replace(/^[*=_~-]{2,}\s*(?=[\w(])|(?<=[\w)])\s*[*=_~-]{2,}$/g, '')
    .replace(/[\s:]+$/, '')
    .trim();
}

/** Whether a text without a result can be the title of a group of results. */
export function isPanelTitle(text: string): boolean {
  const title = cleanTitle(text);
  return (
    /[a-z]{3}/i.test(title) &&
    title.length <= 60 &&
    title.split(' ').length <= 8 &&
    !/[.;]$|^(?:note|comment|see|page|\*|\()/i.test(title) &&
    !/:\s*\S/.test(title)
  );
}

/** Whether a text above the column titles can be a group title, although the report header is printed there as well. */
export const isTitleOfTable = (text: string): boolean => isPanelTitle(text) && !/\breports?\b|\bresults?$/i.test(text);
