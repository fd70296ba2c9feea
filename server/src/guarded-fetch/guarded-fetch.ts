import { type LookupAddress, Resolver, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

const CONNECT_MS = 5_000
const TOTAL_MS = 10_000
const MAX_BYTES = 1_048_576

export interface GuardedFetchOptions {
  /** CIDR ranges and addresses that may be called although they are private. */
  allowPrivate: readonly string[]
  /** `PORTARIA_URL` is a loopback host: then loopback and private addresses may be called, also over http. */
  isDevelopment: boolean
  /** The time of a whole answer; 10 s where none is given. */
  totalMs?: number
  /** The length of an answer; 1 MiB where none is given. */
  maxBytes?: number
  /**
   * How names are resolved. The system's way holds one of the process's few threads for as long as a name server keeps silent, and
   * passwords wait for the same threads: `dns` asks the name servers itself, for names that a stranger may choose.
   */
  names?: 'system' | 'dns'
  /** The name servers that `dns` asks; the system's where none are given. */
  nameServers?: readonly string[]
}

/** Calls other parties' servers. It never follows a redirect by itself; an answer has `maxBytes` and `totalMs` at most. */
export type GuardedFetch = (url: string, init?: RequestInit) => Promise<Response>

/**
 * A `fetch` that can't be turned against our own network (SSRF). Every address that a name resolves to is checked in the look-up of the
 * connection itself, so that a name with changing answers (DNS rebinding) gains nothing. The first call loads undici.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  let loading: Promise<GuardedFetch> | undefined
  return async (url, init) => {
    loading ??= load(options)
    return (await loading)(url, init)
  }
}

async function load(options: GuardedFetchOptions): Promise<GuardedFetch> {
  const { Agent, fetch } = await import('undici')
  const { totalMs = TOTAL_MS, maxBytes = MAX_BYTES } = options
  const dispatcher = new Agent({
    connect: { lookup: vettedLookup(options), timeout: CONNECT_MS },
    headersTimeout: totalMs,
    bodyTimeout: totalMs,
    maxResponseSize: maxBytes,
  })
  return async (address, init = {}) => {
    const url = new URL(address)
    refuseAddress(url, options)
    const limit = AbortSignal.timeout(totalMs)
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
    // undici's own Request and Response types differ from the global ones in name only.
    const answer = await fetch(url, { ...init, redirect: 'manual', signal, dispatcher } as Parameters<typeof fetch>[1])
    return limitBody(answer as unknown as Response, maxBytes)
  }
}

/** The agent limits the bytes on the wire; this limits their unpacked size. */
function limitBody({ body, status, statusText, headers }: Response, maxBytes: number): Response {
  if (!body) return new Response(null, { status, statusText, headers })
  let bytes = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) controller.error(new Error(`the answer is longer than ${maxBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
  return new Response(body.pipeThrough(limit), { status, statusText, headers: new Headers([...headers]) })
}

/** Names are checked when they are resolved; an IP address in the URL is never resolved. */
function refuseAddress(url: URL, options: GuardedFetchOptions): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && options.isDevelopment))
    throw new Error(`only https addresses are called, not ${url.protocol}`)
  if (isIP(host) !== 0 && !mayCall(host, options))
    throw new Error(`${host} is a private address: PORTARIA_ALLOW_PRIVATE would have to name it`)
}

type Found = (fault: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

function vettedLookup(options: GuardedFetchOptions): LookupFunction {
  return (hostname, { all, ...lookupOptions }, callback) => {
    const vet: Found = (error, addresses) => {
      if (error) return callback(error, [])
      const refused = addresses.find(({ address }) => !mayCall(address, options))
      const [first] = addresses
      if (!refused && first) return all ? callback(null, addresses) : callback(null, first.address, first.family)
      callback(new Error(`${hostname} leads to a private address: PORTARIA_ALLOW_PRIVATE would have to name it`), [])
    }
    if (options.names === 'dns') dnsLookup(hostname, options, vet)
    else systemLookup(hostname, { ...lookupOptions, all: true }, vet)
  }
}

/** Asks the name servers for a name's addresses, without a thread. */
function dnsLookup(hostname: string, { nameServers }: GuardedFetchOptions, callback: Found): void {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  if (nameServers) resolver.setServers(nameServers)
  resolver.resolve4(hostname, (fault4, four = []) => {
    resolver.resolve6(hostname, (fault6, six = []) => {
      const addresses = [...four.map((address) => ({ address, family: 4 })), ...six.map((address) => ({ address, family: 6 }))]
      callback(addresses.length > 0 ? null : (fault4 ?? fault6), addresses)
    })
  })
}

/** Whether an IP address may be called: public ones always, others if the operator allows them. */
export function mayCall(address: string, { allowPrivate, isDevelopment }: GuardedFetchOptions): boolean {
  const parsed = ipaddr.process(address)
  if (parsed.range() === 'unicast' && !isOddIpv6(parsed)) return true
  if (isDevelopment && ['loopback', 'private', 'uniqueLocal'].includes(parsed.range())) return true
  return allowPrivate.some((range) => contains(range, parsed))
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** A range that IANA has not assigned as global unicast, such as the old IPv4-compatible `::127.0.0.1`, is not public. */
function isOddIpv6(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST)
}

function contains(range: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [base, bits] = range.includes('/') ? ipaddr.parseCIDR(range) : [ipaddr.parse(range), undefined]
  if (base.kind() !== address.kind()) return false
  return bits === undefined ? base.toString() === address.toString() : address.match([base, bits] as [ipaddr.IPv4, number])
}
