import type { LinkErrorType } from '@pulsewire/contract';

/** What went wrong, for a person. */
export interface Words {
  readonly title: string;
  readonly text: string;
}

const askForNewLink = 'Go back to the app that sent you here and ask it for a new link.';

/** One for each `error_type`; `name` is the provider's, or "the provider" where it is not known. */
const wordsFor: Readonly<Record<LinkErrorType, (name: string) => Words>> = {
  invalid_token: () => ({ title: 'This link does not work', text: `It is incomplete or was not made for this page. ${askForNewLink}` }),
  token_expired: () => ({ title: 'This link has run out', text: `A link works for one hour. ${askForNewLink}` }),
  token_consumed: () => ({
    title: 'This link has been used',
    text: `It has made its connection already. To connect more, ${lower(askForNewLink)}`,
  }),
  token_not_validated: (name) => ({
    title: 'Something went out of order',
    text: `We were not expecting that answer for ${name}. Please start again.`,
  }),
  provider_credential_error: (name) => ({
    title: 'That did not work',
    text: `${capital(name)} did not accept the sign-in. Check what you entered, or try signing in at ${name} itself, then try again here.`,
  }),
  provider_password_expired: (name) => ({
    title: 'Your password has run out',
    text: `${capital(name)} wants you to choose a new password. Do that in its own app or on its website, then come back and try again.`,
  }),
  provider_api_error: (name) => ({
    title: `${capital(name)} is not answering`,
    text: 'This is not your fault, and nothing was connected. Please try again in a few minutes.',
  }),
  unsupported_region: (name) => ({
    title: 'This region cannot be connected',
    text: `${capital(name)} cannot be connected for that region. If you have chosen the wrong one, choose again.`,
  }),
  duplicate_connection: (name) => ({
    title: 'This account is connected already',
    text: `Somebody has connected this account of ${name} before. Use another account, or disconnect it there first.`,
  }),
  required_scopes_not_granted: (name) => ({
    title: 'Some permissions are missing',
    text: `The app needs permissions that were not ticked at ${name}. Please try again and leave all of them ticked.`,
  }),
  incorrect_mfa_code: () => ({ title: 'That code is not right', text: 'Check the newest message and enter the code again.' }),
  user_cancelled: (name) => ({
    title: 'Nothing was connected',
    text: `You did not agree at ${name}. You can try again, or close this page.`,
  }),
};

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
const lower = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);

export function errorWords(errorType: LinkErrorType, name = 'the provider'): Words {
  return wordsFor[errorType](name);
}

/** The error type that an address carries, when it is one of ours: its other text is anybody's and never shown. */
export function knownErrorType(text: string | undefined): LinkErrorType | null {
  return text !== undefined && Object.hasOwn(wordsFor, text) ? (text as LinkErrorType) : null;
}

/** A code that came after its ten minutes: the link itself still works. */
export const codeTooLate: Words = { title: 'That code came too late', text: 'Please sign in again; a new code will be sent.' };

export const tooManyCodes: Words = { title: 'Too many wrong codes', text: codeTooLate.text };

export const tooManyTries: Words = {
  title: 'Too many tries',
  text: 'To protect the account we wait for some minutes now. Please try again later.',
};

/** Somebody else's flow, perhaps: nothing of it may be stored. */
export const otherBrowser: Words = {
  title: 'Nothing was connected',
  text: 'This sign-in was not started in this browser. If you want to connect your account, start again here; if somebody else sent you here, close this page.',
};

export const declined: Words = {
  title: 'Nothing was connected',
  text: 'You chose not to connect. You can start again, or close this page.',
};

export const consentTooLate: Words = {
  title: 'That took too long',
  text: 'Nothing was connected: your sign-in was not confirmed in time. Please start again.',
};

export const busy: Words = {
  title: 'Already at work',
  text: 'Another try with this link is still under way, perhaps in a second tab. Wait a moment, then try again.',
};

export const notConfigured = (name: string): Words => ({
  title: `${name} cannot be connected now`,
  text: 'It is not set up here. Choose another one, or tell the people who run the app.',
});

export const ourFault: Words = { title: 'Something broke on our side', text: 'Nothing was connected. Please try again in a few minutes.' };
