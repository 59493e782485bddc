import { describeLinkPage, linkByEmail, linkWithPassword } from '@pulsewire/connections';
import { showPage, type PageAnswer } from '../http/answer.ts';
import { errorWords } from '../words/link-errors.ts';
import type { PageContext, PageRequest } from './context.ts';
import { endingAnswer } from './ending.ts';
import { openView } from './open-page.ts';
import { readFields } from './read-fields.ts';
import { tryOnce } from './try-once.ts';

/** POST of a provider's form: user name and password (contract 6.7), or an e-mail address (6.9). */
export async function submitForm(context: PageContext, request: PageRequest): Promise<PageAnswer> {
  const { traceId } = request;
  const token = request.token ?? '';
  const slug = request.value('provider');
  const page = await describeLinkPage(context.links, token);
  if (page.kind !== 'open') return endingAnswer(context, page, 'form');
  const provider = page.providers.find((one) => one.connector.slug === slug);
  if (!provider || provider.form === null) return showPage(openView(context, page, { token, slug, isAgain: true }));
  const { values, problems } = readFields(provider.form, request.value);
  const choice = { token, slug, isAgain: true, values, problems };
  const { slug: known, name, authType } = provider.connector;
  if (Object.keys(problems).length > 0) {
    const alert = { title: 'Something is missing', text: Object.values(problems).join(' ') };
    return showPage(openView(context, page, { ...choice, alert }));
  }
  const { username = '', password = '', email = '' } = values;
  const reference = { token, teamId: null, provider: known, region: values['region'] || null, traceId };
  return tryOnce(context, page, {
    choice,
    work: () =>
      authType === 'email'
        ? linkByEmail(context.links, { ...reference, email })
        : linkWithPassword(context.links, { ...reference, username, password }),
    words: ({ errorType }) => errorWords(errorType, name),
  });
}
