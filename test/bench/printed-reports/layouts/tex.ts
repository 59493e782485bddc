const signs: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  '%': '\\%',
  '&': '\\&',
  '#': '\\#',
  _: '\\_',
  $: '\\$',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  µ: '\\textmu{}',
  '≥': '$\\geq$',
  '≤': '$\\leq$',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '²': '\\textsuperscript{2}',
  '³': '\\textsuperscript{3}',
  '⁶': '\\textsuperscript{6}',
  '⁹': '\\textsuperscript{9}',
  '–': '--',
  '↑': '$\\uparrow$',
  '↓': '$\\downarrow$',
  '¹²': '\\textsuperscript{12}',
};

/** A text as LaTeX prints it; exponents are raised. */
export function tex(text: string | null | undefined): string {
  return (text ?? '').replace(/¹²|[\\{}%&#_$^~µ≥≤<>²³⁶⁹–↑↓]/g, (sign) => signs[sign] ?? sign);
}

/** A row of a table. */
export function texRow(cells: readonly (string | null | undefined)[]): string {
  return `${cells.map((cell) => cell ?? '').join(' & ')} \\\\`;
}

export function texDocument(parts: { options?: string; packages?: string; body: string; margins?: string; font?: string }): string {
  return `\\documentclass[${parts.options ?? '10pt,letterpaper'}]{article}
\\usepackage[utf8]{inputenc}\\usepackage[T1]{fontenc}\\usepackage{textcomp}\\usepackage{${parts.font ?? 'lmodern'}}
\\usepackage[${parts.margins ?? 'margin=2cm'}]{geometry}\\usepackage{longtable,array,booktabs,fancyhdr,xcolor,colortbl,multicol,multirow}
${parts.packages ?? ''}
\\setlength{\\parindent}{0pt}\\hyphenpenalty=10000\\exhyphenpenalty=10000
\\begin{document}
${parts.body}
\\end{document}
`;
}
