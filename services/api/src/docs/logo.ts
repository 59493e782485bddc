import { createHash } from 'node:crypto';
import { escapeHtml } from './page.ts';

/** Up to two initials: of the first two words, or the first two letters of a single one. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const letters =
    words.length > 1
      ? words
          .slice(0, 2)
          .map((word) => word.slice(0, 1))
          .join('')
      : (words[0] ?? '?').slice(0, 2);
  return letters.toUpperCase();
}

/** Our own neutral artwork for a provider: its initials on a rounded square, the hue from its slug. Contains no trademark. */
export function renderLogo(provider: { readonly slug: string; readonly name: string }): string {
  const hue = createHash('sha256').update(provider.slug).digest().readUInt16BE(0) % 360;
  const label = escapeHtml(provider.name);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img" aria-label="${label}"><title>${label}</title><rect width="96" height="96" rx="22" fill="hsl(${hue} 45% 36%)"/><text x="48" y="50" fill="#fff" font-family="system-ui,sans-serif" font-size="38" font-weight="600" text-anchor="middle" dominant-baseline="central">${escapeHtml(initialsOf(provider.name))}</text></svg>`;
}
