/**
 * The outcome of a delivery. `final`: this mail will never be accepted, another try can't help. `temporary`: try again later.
 * `nothing_configured`: there is no mail server. A reason is for the log: codes only, since servers' messages quote addresses.
 */
export type Delivery = { delivered: 'by_smtp' | 'as_file' } | { refused: 'final' | 'temporary' | 'nothing_configured'; reason: string }

/**
 * The operator's fault, not the recipient's, and correctable: authentication required (530, 535, 538), or a policy (x.7.y), as "relay
 * denied".
 */
const OUR_FAULTS = /^(530|534|535|538)$/
const POLICY = /^5\.7\./

/** Reads nodemailer's errors. Only a 5yz about the recipient or the message is final (RFC 5321 §4.2.1); all others may pass. */
export function refusalOf(fault: unknown): Delivery {
  const { code, command, responseCode, response } = detailsOf(fault)
  const enhanced = /^\d{3}[ -](?<enhanced>[245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.groups?.enhanced ?? ''
  const reason = [code, command, responseCode, enhanced].filter(Boolean).join(' ')
  const aboutThisMail = command === 'RCPT TO' || command === 'DATA'
  const permanent = /^5\d\d$/.test(responseCode) && responseCode !== '503' && !OUR_FAULTS.test(responseCode)
  const final = aboutThisMail && permanent && !(command === 'RCPT TO' && POLICY.test(enhanced))
  return { refused: final ? 'final' : 'temporary', reason }
}

/** The parts of an error without text of a server or a user. */
function detailsOf(fault: unknown): { code: string; command: string; responseCode: string; response: string } {
  const read = (key: string): string => {
    const value = typeof fault === 'object' && fault !== null ? Object.getOwnPropertyDescriptor(fault, key)?.value : undefined
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const code = read('code')
  const cause = read('originalCode')
  const known = /^[A-Z][A-Z0-9_]{1,40}$/
  const codes = [code, cause === code ? '' : cause].filter((part) => known.test(part)).join(' ')
  const command = /^(?:MAIL FROM|RCPT TO|DATA|CONN|API|AUTH|EHLO|HELO|STARTTLS)/.exec(read('command'))?.[0] ?? ''
  const responseCode = /^\d{3}$/.exec(read('responseCode'))?.[0] ?? ''
  return { code: codes || 'unknown fault', command, responseCode, response: read('response') }
}
