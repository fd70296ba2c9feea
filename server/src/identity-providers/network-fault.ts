/** A fault and all its causes, the fault itself first. The last cause may be no error but, say, the invalid answer. */
export function chainOf(fault: unknown): unknown[] {
  const chain: unknown[] = []
  for (let link = fault; link !== undefined && chain.length < 10; link = link instanceof Error ? link.cause : undefined) chain.push(link)
  return chain
}

/** A network fault or a timeout, as opposed to an invalid answer. */
export function isUnreachable(fault: unknown): boolean {
  return chainOf(fault).some(
    (link) => link instanceof Error && (isTimeOut(link) || link.message === 'fetch failed' || link.message === 'terminated'),
  )
}

/** A finding: a sentence for the operator, and the same as a code with values, for translation. */
export interface Explained<Code extends string> {
  code: Code
  values: Readonly<Record<string, string | number>>
  says: string
}

export const NETWORK_FAULTS = [
  'private_address',
  'timed_out',
  'forbidden_port',
  'no_such_host',
  'no_lookup',
  'refuses_connections',
  'no_way',
  'drops_connections',
  'no_tls',
  'certificate_expired',
  'certificate_not_yet_valid',
  'certificate_of_other_host',
  'certificate_untrusted',
] as const
export type NetworkFault = Explained<(typeof NETWORK_FAULTS)[number]>

/** A message about a fault on the way to `address`, and what to do about it; `undefined` for any other fault. */
export function explainNetworkFault(fault: unknown, address: string): NetworkFault | undefined {
  if (!URL.canParse(address)) return undefined
  const { host, hostname } = new URL(address)
  const errors = chainOf(fault).filter((link) => link instanceof Error)
  const faultOf = (code: NetworkFault['code'], says: string): NetworkFault => ({ code, values: { host, hostname }, says })
  const own = errors.find(({ message }) => message.includes('PORTARIA_ALLOW_PRIVATE'))
  if (own) return faultOf('private_address', own.message)
  if (errors.some(isTimeOut))
    return faultOf('timed_out', `${host} does not answer in time: is it well, and does no firewall stand in between?`)
  // A forbidden port, as the fetch standard words it (§ 2.9).
  if (errors.some(({ message }) => message === 'bad port'))
    return faultOf('forbidden_port', `${host} is on a port that web clients refuse to call: another one has to be used there`)
  for (const code of errors.map(codeOf)) {
    const [known, sentence] = spoken[code] ?? (code.startsWith('ERR_SSL') ? noTls : [])
    if (known && sentence) return faultOf(known, sentence({ host, hostname }))
  }
  return undefined
}

type Spoken = readonly [NetworkFault['code'], (name: { host: string; hostname: string }) => string]

const untrusted: Spoken = [
  'certificate_untrusted',
  ({ host }) =>
    `the certificate of ${host} is not trusted on this machine: if its authority is your own, name that authority's certificate in NODE_EXTRA_CA_CERTS`,
]
const dropped: Spoken = [
  'drops_connections',
  ({ host }) => `${host} ends the connection in place of an answer: is the port right, and does no proxy or firewall cut in?`,
]
const noWay: Spoken = [
  'no_way',
  ({ host }) => `${host} does not answer: no way leads there from this machine, look at its network and firewall`,
]
const noTls: Spoken = ['no_tls', ({ host }) => `${host} does not speak TLS: is the port right, and is it https there?`]

/** By the codes of Node, OpenSSL and undici. */
const spoken: Readonly<Record<string, Spoken>> = {
  // A resolver without a network says so too, of names that are right.
  ENOTFOUND: [
    'no_such_host',
    ({ hostname }) =>
      `the name ${hostname} was not found, so nothing was asked: is it right, and does this machine have a network and a DNS that knows it?`,
  ],
  EAI_AGAIN: [
    'no_lookup',
    ({ hostname }) => `the host ${hostname} can't be looked up just now: check this machine's network and DNS, then try again`,
  ],
  ECONNREFUSED: ['refuses_connections', ({ host }) => `${host} does not answer: is it running, and reachable from here?`],
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
  ECONNRESET: dropped,
  EPIPE: dropped,
  UND_ERR_SOCKET: dropped,
  EPROTO: noTls,
  CERT_HAS_EXPIRED: ['certificate_expired', ({ host }) => `the certificate of ${host} has expired: it has to be renewed there`],
  CERT_NOT_YET_VALID: [
    'certificate_not_yet_valid',
    ({ host }) => `the certificate of ${host} is not valid yet: check the clock of this machine`,
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'certificate_of_other_host',
    ({ host }) => `the certificate of ${host} is for another host: use the name that it is for`,
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
}

const TIME_OUTS = new Set(['ETIMEDOUT', 'OAUTH_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

function isTimeOut(fault: Error): boolean {
  return fault.name === 'TimeoutError' || fault.name === 'AbortError' || TIME_OUTS.has(codeOf(fault))
}

function codeOf(fault: Error): string {
  return 'code' in fault && typeof fault.code === 'string' ? fault.code : ''
}
