import { expect, it } from 'vitest';
import type { LinkContext } from '../../context/context.ts';
import { confirmPageUrl } from './link-location.ts';

it.each(['https://x.example/link', 'https://x.example/link/', 'https://x.example', 'https://x.example/'])(
  'the page that confirms a link is one step below the link page at %s',
  (address) => {
    const context = { linkWebUrl: () => address } as LinkContext;
    expect(confirmPageUrl(context, 'a', 'b')).toBe(`${address.replace(/\/$/, '')}/confirm?token=a&consent=b`);
  },
);
