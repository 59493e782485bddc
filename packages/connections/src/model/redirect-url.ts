/** Schemes that a browser executes, opens with a system program, or reads from disk. They cannot be registered. */
const dangerousSchemes: ReadonlySet<string> = new Set(
  [
    'javascript vbscript livescript mocha data blob file filesystem about view-source jar feed pcast',
    'chrome chrome-extension edge moz-extension moz-icon resource opera brave safari-extension wyciwyg res',
    'intent android-app content market itms itms-apps itms-services app-settings shortcuts workflow',
    'search search-ms shell hcp ldap mk mhtml vnd.ms.radio windowsdefender onenote skype steam vscode',
    'applescript help terminal ssh telnet rlogin rdp vnc smb afp nfs ftp sftp tftp gopher',
    'http https ws wss mailto tel sms mms facetime facetime-audio sip sips callto news nntp',
    'urn cid mid magnet tag wtai x-man-page dict imap pop webcal ipp irc git svn',
  ].flatMap((line) => line.split(' ')),
);
const dangerousPrefixes = ['ms-', 'x-apple', 'vscode-', 'web+', 'chrome-', 'moz-', 'com.apple.', 'prefs'];

/** RFC 3986, in lower case, with a length that no app exceeds. */
const schemePattern = /^[a-z][a-z0-9+.-]{1,63}$/;

/** Whether a team may register this scheme, without its colon, for its own app. */
export function isSchemeRegistrable(scheme: string): boolean {
  return schemePattern.test(scheme) && !dangerousSchemes.has(scheme) && !dangerousPrefixes.some((prefix) => scheme.startsWith(prefix));
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a browser may be redirected to this address after a link: https, http to the machine itself, or a scheme of the team's own app.
 * `schemes`: those that the team has registered.
 */
export function isRedirectAllowed(address: string, schemes: readonly string[]): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const scheme = url.protocol.slice(0, -1);
  // Browsers mend `https:host` and `https:///host`; other programs read a path in them.
  if (/^https?$/.test(scheme) && !/^https?:\/\/[^/\\]/i.test(address)) return false;
  if (scheme === 'https') return url.username === '' && url.password === '';
  if (scheme === 'http') return loopbackNames.has(url.hostname) || url.hostname.endsWith('.localhost');
  return schemes.includes(scheme) && isSchemeRegistrable(scheme);
}
