import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file whose name contains a hash of its content, so that browsers may cache it indefinitely. */
export interface Asset {
  readonly fileName: string;
  readonly contentType: string;
  readonly body: Buffer;
}

const folder = new URL('../../assets/', import.meta.url);

function read(name: string, extension: string, contentType: string): Asset {
  const body = readFileSync(new URL(`${name}.${extension}`, folder));
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { fileName: `${name}.${hash}.${extension}`, contentType, body };
}

export function readAssets() {
  return {
    style: read('portal', 'css', 'text/css; charset=utf-8'),
    script: read('portal', 'js', 'text/javascript; charset=utf-8'),
    icon: read('icon', 'svg', 'image/svg+xml; charset=utf-8'),
  };
}
