import type { LinkErrorType } from '@pulsewire/contract';

/** An error message for the user. */
export interface Message {
  readonly title: string;
  readonly text: string;
}

const askForNewLink = 'Go back to the app that sent you here and ask it for a new link.';

/** One for each `error_type`; `name` is the provider's, or "the provider" when unknown. */
const messages: Readonly<Record<LinkErrorType, (name: string) => Message>> = {
  invalid_token: () => ({
    title: 'This link does not work',
    text: `It is incomplete, was not made for this page, or is no longer valid. ${askForNewLink}`,
  }),
  token_expired: () => ({ title: 'This link has expired', text: `A link works for one hour. ${askForNewLink}` }),
  token_consumed: () => ({
    title: 'This link has been used',
    text: `It has already been used to connect an account. To connect another one, ${lower(askForNewLink)}`,
  }),
  token_not_validated: (name) => ({
    title: 'Please start again',
    text: `This step does not belong to the current sign-in at ${name}.`,
  }),
  provider_credential_error: (name) => ({
    title: 'That did not work',
    text: `${capital(name)} did not accept the sign-in. Check what you entered, or try signing in at ${name} itself, then try again here.`,
  }),
  provider_password_expired: (name) => ({
    title: 'Your password has expired',
    text: `${capital(name)} wants you to choose a new password. Do that in its own app or on its website, then come back and try again.`,
  }),
  provider_api_error: (name) => ({
    title: `${capital(name)} is not responding`,
    text: 'This is not your fault, and nothing was connected. Please try again in a few minutes.',
  }),
  unsupported_region: (name) => ({
    title: 'This region cannot be connected',
    text: `${capital(name)} cannot be connected for that region. If you chose the wrong region, choose again.`,
  }),
  duplicate_connection: (name) => ({
    title: 'This account is already connected',
    text: `Someone has already connected this ${name} account. Use another account, or disconnect it there first.`,
  }),
  required_scopes_not_granted: (name) => ({
    title: 'Some permissions are missing',
    text: `The app needs permissions that were not granted at ${name}. Please try again and grant all of them.`,
  }),
  incorrect_mfa_code: () => ({ title: 'That code is wrong', text: 'Check the latest message and enter the code again.' }),
  user_cancelled: (name) => ({
    title: 'Nothing was connected',
    text: `You cancelled at ${name}. You can try again, or close this page.`,
  }),
};

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
const lower = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);

export function errorMessage(errorType: LinkErrorType, name = 'the provider'): Message {
  return messages[errorType](name);
}

/** The error type from a URL, when it is a known one; other text of the URL is untrusted and never shown. */
export function knownErrorType(text: string | undefined): LinkErrorType | null {
  return text !== undefined && Object.hasOwn(messages, text) ? (text as LinkErrorType) : null;
}

/** The code came after ten minutes; the link still works. */
export const codeExpired: Message = { title: 'That code has expired', text: 'Please sign in again; a new code will be sent.' };

export const tooManyCodes: Message = { title: 'Too many wrong codes', text: codeExpired.text };

export const tooManyAttempts: Message = {
  title: 'Too many attempts',
  text: 'To protect the account, please wait a few minutes before you try again.',
};

/** Possibly someone else's flow: nothing of it may be stored. */
export const otherBrowser: Message = {
  title: 'Nothing was connected',
  text: 'This sign-in was not started in this browser. If you want to connect your account, start again here; if someone else sent you here, close this page.',
};

export const declined: Message = {
  title: 'Nothing was connected',
  text: 'You chose not to connect. You can start again, or close this page.',
};

export const consentExpired: Message = {
  title: 'That took too long',
  text: 'Nothing was connected: your sign-in was not confirmed in time. Please start again.',
};

export const busy: Message = {
  title: 'Already in progress',
  text: 'Another attempt with this link is in progress, perhaps in a second tab. Wait a moment, then try again.',
};

export const notConfigured = (name: string): Message => ({
  title: `${name} cannot be connected now`,
  text: 'It is not set up here. Choose another one, or tell the people who run the app.',
});

export const internalError: Message = {
  title: 'Something went wrong on our side',
  text: 'Nothing was connected. Please try again in a few minutes.',
};
