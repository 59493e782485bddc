import { describeLinkPage, linkByEmail, linkDemo, linkSource, linkWithPassword, type PageProvider } from '@pulsewire/connections';
import { showPage, type PageAnswer } from '../http/answer.ts';
import { errorWords } from '../words/link-errors.ts';
import type { PageContext, PageRequest } from './context.ts';
import { endingAnswer } from './ending.ts';
import { openView } from './open-page.ts';
import { readFields } from './read-fields.ts';
import { tryOnce } from './try-once.ts';

/** POST of a provider's form: user name and password, an e-mail address (6.9), the name of a source (6.13), or a demo (6.11). */
export async function submitForm(context: PageContext, request: PageRequest): Promise<PageAnswer> {
  const { traceId } = request;
  const token = request.token ?? '';
  const slug = request.value('provider');
  const page = await describeLinkPage(context.links, token);
  if (page.kind !== 'open') return endingAnswer(context, page, 'form');
  const provider = page.providers.find((one) => one.key === slug);
  if (!provider || provider.form === null) return showPage(openView(context, page, { token, slug, isAgain: true }));
  const { values, problems } = readFields(provider.form, request.value);
  const choice = { token, slug, isAgain: true, values, problems };
  const { name } = provider.connector;
  if (Object.keys(problems).length > 0) {
    const alert = { title: 'Something is missing', text: Object.values(problems).join(' ') };
    return showPage(openView(context, page, { ...choice, alert }));
  }
  return tryOnce(context, page, {
    choice,
    work: () => linkAs(context, provider, { token, values, traceId }),
    words: ({ errorType }) => errorWords(errorType, name),
  });
}

interface Filled {
  readonly token: string;
  readonly values: Readonly<Record<string, string>>;
  readonly traceId: string;
}

function linkAs({ links }: PageContext, { connector, manner }: PageProvider, { token, values, traceId }: Filled) {
  const { username = '', password = '', email = '' } = values;
  const reference = { token, teamId: null, provider: connector.slug, traceId };
  if (manner === 'demo') return linkDemo(links, reference);
  if (manner === 'manual') return linkSource(links, { ...reference, name: username });
  const region = values['region'] || null;
  if (connector.authType === 'email') return linkByEmail(links, { ...reference, region, email });
  return linkWithPassword(links, { ...reference, region, username, password });
}
