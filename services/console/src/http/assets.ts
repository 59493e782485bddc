import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A static file whose name contains a hash of its content, so that browsers may cache it indefinitely. */
export interface Asset {
  readonly fileName: string;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface Assets {
  readonly style: Asset;
  readonly script: Asset;
  readonly icon: Asset;
}

const folder = new URL('../../assets/', import.meta.url);

function read(name: string, extension: string, contentType: string): Asset {
  const body = readFileSync(new URL(`${name}.${extension}`, folder));
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { fileName: `${name}.${hash}.${extension}`, contentType, body };
}

export function readAssets(): Assets {
  return {
    style: read('link', 'css', 'text/css; charset=utf-8'),
    script: read('link', 'js', 'text/javascript; charset=utf-8'),
    icon: read('icon', 'svg', 'image/svg+xml; charset=utf-8'),
  };
}
