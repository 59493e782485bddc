import { expect, it } from 'vitest';
import { readHiddenForm } from './hidden-form.ts';

it('reads the form of a page with its entities, in either kind of quotes', () => {
  const page = `<html><form method="post" name="hiddenform" action="https://auth.example/login/callback?a=1&amp;b=2">
    <input type="hidden" name="wa" value="wsignin1.0"><input type='hidden' name='wctx' value='{&#34;state&#x22;:&quot;x&quot;}'>
    <input type="submit" value="Send"></form></html>`;
  expect(readHiddenForm(page)).toEqual({
    action: 'https://auth.example/login/callback?a=1&b=2',
    fields: { wa: 'wsignin1.0', wctx: '{"state":"x"}' },
  });
  expect(readHiddenForm('<html>blocked</html>')).toBeNull();
});
