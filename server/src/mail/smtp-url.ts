/** The connection for outgoing mail. `requireTls` refuses a server without STARTTLS; `verifyCertificate` applies to every kind of TLS. */
export interface SmtpServer {
  host: string
  port: number
  implicitTls: boolean
  requireTls: boolean
  verifyCertificate: boolean
  auth: { user: string; pass: string } | undefined
}

const PARAMETERS = new Set(['requireTLS', 'tls.rejectUnauthorized'])
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Reads `smtp://` (STARTTLS) or `smtps://` (TLS from the start). To another machine TLS is required and its certificate verified, unless
 * the address ends in `?requireTLS=false` or `?tls.rejectUnauthorized=false`; on the same machine TLS is used where it is offered, whatever
 * its certificate. Throws for anything else, without quoting it, since it holds a password.
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const implicitTls = url?.protocol === 'smtps:'
  if (!url || !(implicitTls || url.protocol === 'smtp:') || url.hostname === '' || !/^\/?$/.test(url.pathname) || url.hash !== '') {
    throw new TypeError('the mail server must be smtp://USER:PASSWORD@HOST:PORT or smtps://…')
  }
  for (const [name, value] of url.searchParams) {
    if (!PARAMETERS.has(name) || !/^(true|false)$/.test(value))
      throw new TypeError(`the mail server knows only ${[...PARAMETERS].join(' and ')}, true or false`)
  }
  const local = LOOPBACK.test(url.hostname.toLowerCase())
  const flag = (name: string) => url.searchParams.get(name) ?? String(!local)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (implicitTls ? 465 : 587),
    implicitTls,
    requireTls: !implicitTls && flag('requireTLS') === 'true',
    verifyCertificate: flag('tls.rejectUnauthorized') === 'true',
    auth: url.username === '' ? undefined : { user: decoded(url.username), pass: decoded(url.password) },
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new TypeError('the user and password of the mail server must be percent-encoded: write % as %25')
  }
}
