import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { BoundedMap } from '../kit/index.ts'

/**
 * The address of a request. Behind trusted proxies Fastify has read X-Forwarded-For from the right; if that is not an address, the one of
 * the connection counts.
 */
export function clientAddress(request: FastifyRequest): string {
  const claimed = request.ip
  return ipaddr.isValid(claimed) ? ipaddr.process(claimed).toString() : (request.socket.remoteAddress ?? 'unknown')
}

/** Counted as one origin of attempts: an IPv4 address, or the /64 that one IPv6 customer has. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
    : parsed.toString()
}

export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

const MAX_PEERS = 1_000

/**
 * Whether the server at the other end of a connection is a trusted proxy, whose `X-Forwarded-*` headers count. With a number of hops it
 * always is: then nobody else can connect.
 */
export function createPeerTrust(
  trusted: number | readonly string[] | undefined,
): (peer: { remoteAddress?: string | undefined }) => boolean {
  if (trusted === undefined || typeof trusted === 'number') return () => (trusted ?? 0) > 0
  const ranges = trusted.map((text) => (text.includes('/') ? ipaddr.parseCIDR(text) : wholeAddress(text)))
  const known = new BoundedMap<string, boolean>(MAX_PEERS)
  return ({ remoteAddress: address }) => {
    if (address === undefined || !ipaddr.isValid(address)) return false
    const before = known.get(address)
    if (before !== undefined) return before
    const parsed = ipaddr.process(address)
    const isTrusted = ranges.some((range) => range[0].kind() === parsed.kind() && parsed.match(range))
    known.set(address, isTrusted)
    return isTrusted
  }
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
